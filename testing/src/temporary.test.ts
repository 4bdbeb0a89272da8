import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from './temporary.ts'

it('free ports are different and below the ports that systems choose for other sockets', async () => {
  const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()))
  expect(new Set(ports).size).toBe(300)
  expect(Math.max(...ports)).toBeLessThan(32_768)
  const [port = 0] = ports
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  await new Promise(resolve => server.close(resolve))
})
