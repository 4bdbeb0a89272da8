import { readArchive, writeArchive } from '@cadmus/formats/archive'
import { expect, it } from 'vitest'

it('an archive is unpacked no further than its header declares', () => {
  const bytes = Buffer.from(writeArchive(new Map([['bomb', '0'.repeat(20_000_000)]])))
  bytes.writeUInt32LE(100, bytes.indexOf('PK\u0001\u0002', 0, 'latin1') + 24)
  bytes.writeUInt32LE(100, 22)
  const bomb = readArchive(bytes)
  const before = process.memoryUsage().arrayBuffers
  expect(() => bomb.get('bomb')).toThrow(expect.objectContaining({ code: 'zip-broken' }))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000)
})
