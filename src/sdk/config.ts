// The `config` part of the manifests together with the NAME=value arguments of mcconfig; nobody has checked its values.

export { default } from "mc/config";
