#!/usr/bin/env node
"use strict";
// The SimpleX library holds one thread of this pool while it waits for events, and each command takes one: the
// default of four would starve file and DNS work. It can only be set before the pool is used the first time, which
// an ES module comes too late for.
process.env.UV_THREADPOOL_SIZE ??= "16";

const { closeSync } = require("node:fs");
const { isatty } = require("node:tty");
const terminals = [0, 1, 2].filter(isatty);

// Node 20 aborts at its end where it cannot set back a terminal that was closed meanwhile.
function exit(code) {
  for (const terminal of terminals) if (!isatty(terminal)) closeSync(terminal);
  process.exit(code);
}

import("../dist/cli.js").then(
  async ({ main }) => {
    const code = await main(process.argv);
    // The library's threads would keep the process alive; what was printed is written out first.
    process.stdout.write("", () => process.stderr.write("", () => exit(code)));
  },
  (error) => {
    console.error(error);
    exit(1);
  },
);
