// The language that the build chose for tools' texts: `language` in its configuration. In firmware it takes the place of `mcp/language`.

import config from "mc/config";

const LANGUAGE: "en" | "zh" = config.language === "zh" ? "zh" : "en";
export default LANGUAGE;
