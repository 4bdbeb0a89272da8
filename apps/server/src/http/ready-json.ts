import type { Encoding } from './encoding.ts'

/** An answer that a thread made: checked against its call's schema and written there, so that it is only sent here. */
export class ReadyJson {
  readonly bytes: Uint8Array
  /** What the thread compressed it with already, as its caller takes that. */
  readonly encoding: Encoding | 'identity'

  constructor(bytes: Uint8Array, encoding: Encoding | 'identity' = 'identity') {
    this.bytes = bytes
    this.encoding = encoding
  }

  /** With further fields at the end of its object. */
  with(fields: object): ReadyJson {
    if (this.encoding !== 'identity') throw new TypeError('Nothing can be added to what is compressed.')
    const more = Buffer.from(`,${JSON.stringify(fields).slice(1)}`)
    return new ReadyJson(Buffer.concat([this.bytes.subarray(0, -1), more]))
  }
}
