import { describe, expect, it } from 'vitest'
import { base64OfBytes, bytesOfHex, readBytes } from './bytes.ts'

describe('Bytes', () => {
  it.each([0, 1, 2, 3, 255, 256, 12_287, 12_288, 12_289, 100_000])(
    '%i bytes have the same value in every form',
    length => {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) & 255)
      const buffer = Buffer.from(bytes)
      expect(base64OfBytes(bytes)).toBe(buffer.toString('base64'))
      expect(readBytes(buffer.toString('base64'))).toBe(buffer.toString('hex'))
      expect(bytesOfHex(buffer.toString('hex').toUpperCase())).toEqual(bytes)
      expect(bytesOfHex(buffer.toString('hex'))).toEqual(bytes)
    },
  )

  it('text other than Base64 is not read as bytes', () => {
    for (const text of ['A', 'AA=A', 'AAA', '====', 'AAA-', 'é==='])
      expect([text, readBytes(text)]).toEqual([text, null])
  })
})
