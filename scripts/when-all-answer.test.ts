import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { occupiedUrl, whenAllAnswer } from './when-all-answer.ts'

it('an address in use is distinguished from free ones', async () => {
  const server = createServer((request, response) => response.writeHead(request.url === '/health' ? 200 : 404).end())
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const port = portOf(server.address())
  const free = 'http://localhost:1'
  expect(await occupiedUrl([free, `http://localhost:${port}`])).toBe(`http://localhost:${port}`)
  expect(await occupiedUrl([free])).toBeUndefined()
  // Several servers may share such an address.
  expect(await occupiedUrl([`http://127.0.0.1:${port}`])).toBeUndefined()
  expect(await whenAllAnswer([`http://localhost:${port}`], () => false)).toBe(true)
  expect(await whenAllAnswer([free], () => true)).toBe(false)
  await new Promise(resolve => server.close(resolve))
})

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
