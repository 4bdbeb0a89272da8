/** An answer that a thread made: checked against its call's schema and written there, so that it is only sent here. */
export class ReadyJson {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** With further fields at the end of its object. */
  with(fields: object): ReadyJson {
    const more = Buffer.from(`,${JSON.stringify(fields).slice(1)}`)
    return new ReadyJson(Buffer.concat([this.bytes.subarray(0, -1), more]))
  }
}
