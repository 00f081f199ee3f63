// Loaded before the program: makes an older Node do what newer ones do where the environment names a proxy. Whatever is
// left to Node's defaults goes there.
import http from "node:http";
import { connect } from "node:net";

if (http.globalAgent.options.proxyEnv === undefined) {
  const { hostname, port } = new URL(process.env.HTTP_PROXY);
  http.globalAgent = new (class extends http.Agent {
    createConnection() {
      return connect(Number(port), hostname);
    }
  })();
  const direct = globalThis.fetch;
  globalThis.fetch = async (url, init) => await direct(new URL(`http://${hostname}:${port}/${url}`), init);
}
