/** Reads the data of server-sent events from text that comes in pieces. What else an event may have says nothing here. */
export class EventReader {
  #rest = "";
  #data: string[] = [];

  /** The data of each event that `text` completes, its lines joined. */
  read(text: string): string[] {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#line(line.endsWith("\r") ? line.slice(0, -1) : line));
  }

  #line(line: string): string[] {
    const [, data] = /^data: ?(.*)$/s.exec(line) ?? [];
    if (data !== undefined) this.#data.push(data);
    if (line !== "" || this.#data.length === 0) return [];
    return [this.#data.splice(0).join("\n")];
  }
}
