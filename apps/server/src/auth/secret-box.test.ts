import { describe, expect, it } from 'vitest'
import { SecretBox } from './secret-box.ts'

const key = Buffer.alloc(32, 1)
const other = Buffer.alloc(32, 2)

describe('SecretBox', () => {
  it('decrypts its own values, and never encrypts the same text alike', () => {
    const box = new SecretBox(key, null)
    const encrypted = box.encrypt('Größe')
    expect(box.decrypt(encrypted)).toBe('Größe')
    expect(box.encrypt('Größe')).not.toBe(encrypted)
    const parts = encrypted.split('.').map(part => Buffer.from(part, 'base64url'))
    for (const part of parts) expect(part.includes('Größe')).toBe(false)
  })

  it('decrypts values of the old key after a key change', () => {
    const encrypted = new SecretBox(key, null).encrypt('a')
    expect(new SecretBox(other, key).decrypt(encrypted)).toBe('a')
    expect(new SecretBox(other, null).decrypt(encrypted)).toBeUndefined()
  })

  it('rejects modified values', () => {
    const box = new SecretBox(key, null)
    const encrypted = box.encrypt('a text')
    const parts = encrypted.split('.')
    for (const place of [2, 3, 4]) {
      const bytes = Buffer.from(parts[place] ?? '', 'base64url')
      for (let at = 0; at < bytes.length; at++) {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
        expect(box.decrypt(parts.with(place, changed.toString('base64url')).join('.'))).toBeUndefined()
      }
      const shorter = bytes.subarray(0, -1).toString('base64url')
      expect(box.decrypt(parts.with(place, shorter).join('.'))).toBeUndefined()
    }
    expect(box.decrypt('')).toBeUndefined()
    expect(box.decrypt('v1.x.y')).toBeUndefined()
    expect(box.decrypt(encrypted.replace(/\.[^.]+$/, '.'))).toBeUndefined()
  })
})
