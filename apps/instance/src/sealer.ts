import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const format = 1
const nonceLength = 12
const tagLength = 16

/** Encrypts data on disk: a format byte, the nonce, the tag, the data. */
export class Sealer {
  readonly #key: Buffer

  /** `key`: 32 bytes, from which a key per purpose is derived. */
  constructor(key: Buffer, purpose: string) {
    this.#key = derivedKey(key, purpose)
  }

  seal(content: Uint8Array): Buffer {
    const nonce = randomBytes(nonceLength)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    const data = Buffer.concat([cipher.update(content), cipher.final()])
    return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), data])
  }

  /** Throws for data not sealed with this key. */
  open(sealed: Uint8Array): Buffer {
    const [nonceEnd, tagEnd] = [1 + nonceLength, 1 + nonceLength + tagLength]
    if (sealed[0] !== format || sealed.length < tagEnd) throw new Error('The data is not encrypted with this key.')
    const nonce = sealed.subarray(1, nonceEnd)
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: tagLength })
    decipher.setAuthTag(sealed.subarray(nonceEnd, tagEnd))
    return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()])
  }
}

/** Derives 32 bytes that reveal neither the key nor the bytes for other purposes. */
export function derivedKey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `cadmus instance ${purpose}`, 32))
}
