import { limits } from './limits.ts'

/** A request whose body is being received. */
type Receiving = {
  /** Whether all of it has arrived. */
  readonly complete: boolean
  /** Received bytes not read by the server yet. */
  readonly readableLength: number
  readonly headers: {
    readonly 'content-length'?: string | undefined
    readonly 'transfer-encoding'?: string | undefined
  }
  readonly socket: { readonly bytesRead: number; destroy(): unknown }
  once(event: 'close', listener: () => void): unknown
}

const checks = 3

/** Closes the connection of a sender that stalls within a body. A server that is slow to read does not count as stalled. */
export function closeWhenStalled(request: Receiving, timeout: number = limits.stalledBody): void {
  if (!hasBody(request)) return
  let received = request.socket.bytesRead
  let idle = 0
  const timer = setInterval(() => {
    const { bytesRead } = request.socket
    const isIdle = !request.complete && request.readableLength === 0 && bytesRead === received
    idle = isIdle ? idle + 1 : 0
    received = bytesRead
    if (idle === checks) request.socket.destroy()
  }, timeout / checks)
  request.once('close', () => clearInterval(timer))
}

function hasBody({ headers }: Receiving): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
