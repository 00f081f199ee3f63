"use strict";
// The namespaces of the real package, CommonJS as it is; `bot` and the `api…` wrappers are left out.
exports.core = require("./core.js");
exports.util = require("./util.js");
exports.api = require("./api.js");
