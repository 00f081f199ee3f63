// Loaded before the program: makes Node 20 do what newer ones do where the environment names a proxy. Whatever is left
// to Node's defaults goes there.
import http from "node:http";
import { connect } from "node:net";

const { hostname, port } = new URL(process.env.HTTP_PROXY);

class ProxyAgent extends http.Agent {
  createConnection() {
    return connect(Number(port), hostname);
  }
}

http.globalAgent = new ProxyAgent();
const direct = globalThis.fetch;
globalThis.fetch = async (url, init) => await direct(new URL(`http://${hostname}:${port}/${url}`), init);
