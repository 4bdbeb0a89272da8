import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const format = 1
const nonceLength = 12
const tagLength = 16

/** Encrypts what lies on the disk and must not be readable there: a byte for the form, the nonce, the tag, the data. */
export class Sealer {
  readonly #key: Buffer

  /** `key`: 32 bytes, of which each purpose gets a key of its own. */
  constructor(key: Buffer, purpose: string) {
    this.#key = derivedKey(key, purpose)
  }

  seal(content: Uint8Array): Buffer {
    const nonce = randomBytes(nonceLength)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    const data = Buffer.concat([cipher.update(content), cipher.final()])
    return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), data])
  }

  /** Throws for anything that this key did not seal. */
  open(sealed: Uint8Array): Buffer {
    const [nonceEnd, tagEnd] = [1 + nonceLength, 1 + nonceLength + tagLength]
    if (sealed[0] !== format || sealed.length < tagEnd) throw new Error('This was not sealed here.')
    const nonce = sealed.subarray(1, nonceEnd)
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: tagLength })
    decipher.setAuthTag(sealed.subarray(nonceEnd, tagEnd))
    return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()])
  }
}

/** 32 bytes that tell nothing of the key that they are made from, nor of those for other purposes. */
export function derivedKey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `cadmus instance ${purpose}`, 32))
}
