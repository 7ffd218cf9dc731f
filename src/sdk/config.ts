// The values that the build was given: the manifests' `config` and mcconfig's NAME=value arguments. Nobody has checked them.

export { default } from "mc/config";
