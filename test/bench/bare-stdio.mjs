import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

/** The least that the SDK needs to serve a tool over stdin and stdout. */
serveStdio(() => {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  server.registerTool("noop", { inputSchema: z.object({}) }, () => ({
    content: [{ type: "text", text: "ok" }],
  }));
  return server;
});
