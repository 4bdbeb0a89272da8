import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

/**
 * Encrypts values for the store. Each value carries the id of its key, so that an old key still decrypts its own:
 * `v1.<key id>.<nonce>.<tag>.<data>`.
 */
export class SecretBox {
  #keys: Map<string, Buffer>
  #current: string

  /** `key` encrypts and decrypts, `oldKey` only decrypts; 32 bytes each. */
  constructor(key: Buffer, oldKey: Buffer | null) {
    this.#current = keyId(key)
    this.#keys = new Map([[this.#current, key]])
    if (oldKey !== null) this.#keys.set(keyId(oldKey), oldKey)
  }

  encrypt(text: string): string {
    const key = this.#keys.get(this.#current)
    if (key === undefined) throw new Error('The encryption key is missing.')
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    const parts = [nonce, cipher.getAuthTag(), data].map(bytes => bytes.toString('base64url'))
    return ['v1', this.#current, ...parts].join('.')
  }

  /** Undefined for a wrong key, a modified value or another format. */
  decrypt(value: string): string | undefined {
    const [version, id = '', nonce = '', tag = '', data = ''] = value.split('.')
    const key = this.#keys.get(id)
    if (version !== 'v1' || key === undefined) return undefined
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(data, 'base64url')), decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }

  /**
   * Returns keyed hashes of a text, one per key, the current key's first. They allow comparison, but without the key
   * even short texts cannot be guessed.
   */
  digestsOf(text: string): string[] {
    const keys = [...this.#keys.values()]
    return keys.map(key => createHmac('sha256', digestKey(key)).update(text).digest('base64url'))
  }
}

function digestKey(key: Buffer): Buffer {
  return createHmac('sha256', key).update('cadmus mark key').digest()
}

function keyId(key: Buffer): string {
  return createHash('sha256').update('cadmus key id').update(key).digest('hex').slice(0, 8)
}
