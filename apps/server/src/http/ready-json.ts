/** An answer validated and serialised by a worker thread, ready to send. */
export class ReadyJson {
  readonly bytes: Uint8Array
  /** The compression already applied by the thread. */
  readonly encoding: Encoding | 'identity'

  constructor(bytes: Uint8Array, encoding: Encoding | 'identity' = 'identity') {
    this.bytes = bytes
    this.encoding = encoding
  }

  /** Returns a copy with further fields at the end of the object; a string is JSON text. */
  with(fields: object | string): ReadyJson {
    const text = typeof fields === 'string' ? fields : JSON.stringify(fields)
    const more = Buffer.from(`,${text.slice(1)}`)
    return new ReadyJson(Buffer.concat([this.#plain.subarray(0, -1), more]))
  }

  /** Returns an object that has this answer as a field. */
  in(field: string): ReadyJson {
    return new ReadyJson(Buffer.concat([Buffer.from(`{"${field}":`), this.#plain, Buffer.from('}')]))
  }

  get #plain(): Uint8Array {
    if (this.encoding !== 'identity') throw new TypeError('A compressed answer cannot be changed.')
    return this.bytes
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
