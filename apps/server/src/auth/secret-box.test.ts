import { describe, expect, it } from 'vitest'
import { SecretBox } from './secret-box.ts'

const key = Buffer.alloc(32, 1)
const other = Buffer.alloc(32, 2)

describe('SecretBox', () => {
  it('decrypts its own values, and never encrypts the same text alike', () => {
    const box = new SecretBox(key, null)
    const closed = box.close('Größe')
    expect(box.open(closed)).toBe('Größe')
    expect(box.close('Größe')).not.toBe(closed)
    expect(closed).not.toContain('Gr')
  })

  it('decrypts values of the old key after a key change', () => {
    const closed = new SecretBox(key, null).close('a')
    expect(new SecretBox(other, key).open(closed)).toBe('a')
    expect(new SecretBox(other, null).open(closed)).toBeUndefined()
  })

  it('rejects modified values', () => {
    const box = new SecretBox(key, null)
    const closed = box.close('a text')
    const parts = closed.split('.')
    for (const place of [2, 3, 4]) {
      const bytes = Buffer.from(parts[place] ?? '', 'base64url')
      for (let at = 0; at < bytes.length; at++) {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
        expect(box.open(parts.with(place, changed.toString('base64url')).join('.'))).toBeUndefined()
      }
      const shorter = bytes.subarray(0, -1).toString('base64url')
      expect(box.open(parts.with(place, shorter).join('.'))).toBeUndefined()
    }
    expect(box.open('')).toBeUndefined()
    expect(box.open('v1.x.y')).toBeUndefined()
    expect(box.open(closed.replace(/\.[^.]+$/, '.'))).toBeUndefined()
  })
})
