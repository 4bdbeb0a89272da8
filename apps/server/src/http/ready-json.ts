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

export type Encoding = 'br' | 'gzip'

/** Returns the first offered encoding that the Accept-Encoding header accepts, else 'identity'. */
export function encodingOf<E extends Encoding>(accepted: string | undefined, offered: readonly E[]): E | 'identity' {
  const names = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .filter(part => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map(part => part.split(';')[0]?.trim())
  return offered.find(name => names.includes(name)) ?? 'identity'
}
