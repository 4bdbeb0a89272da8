import type { Encoding } from './encoding.ts'

/** An answer validated and serialised by a worker thread, ready to send. */
export class ReadyJson {
  readonly bytes: Uint8Array
  /** The compression already applied by the thread. */
  readonly encoding: Encoding | 'identity'

  constructor(bytes: Uint8Array, encoding: Encoding | 'identity' = 'identity') {
    this.bytes = bytes
    this.encoding = encoding
  }

  /** Returns a copy with further fields at the end of the object. */
  with(fields: object): ReadyJson {
    if (this.encoding !== 'identity') throw new TypeError('Fields cannot be added to a compressed answer.')
    const more = Buffer.from(`,${JSON.stringify(fields).slice(1)}`)
    return new ReadyJson(Buffer.concat([this.bytes.subarray(0, -1), more]))
  }
}
