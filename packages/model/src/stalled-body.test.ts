import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { limits } from './limits.ts'
import { closeWhenStalled } from './stalled-body.ts'

describe('A request body', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const begun = (
    headers: { 'content-length'?: string; 'transfer-encoding'?: string } = { 'content-length': '100' },
  ) => {
    let close = () => {}
    const socket = { bytesRead: 1, destroy: vi.fn<() => void>() }
    const once = (_event: 'close', listener: () => void) => (close = listener)
    const request = { complete: false, readableLength: 0, headers, socket, once }
    closeWhenStalled(request)
    return { request, socket, close: () => close() }
  }
  const third = limits.stalledBody / 3

  it('is aborted with its connection after 30 s without data', () => {
    const { socket } = begun()
    vi.advanceTimersByTime(limits.stalledBody - 1)
    expect(socket.destroy).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(socket.destroy).toHaveBeenCalledTimes(1)
    const { socket: chunked } = begun({ 'transfer-encoding': 'chunked' })
    vi.advanceTimersByTime(limits.stalledBody)
    expect(chunked.destroy).toHaveBeenCalledTimes(1)
  })

  it('may take long while data arrive', () => {
    const { socket } = begun()
    for (let count = 0; count < 10; count += 1) {
      vi.advanceTimersByTime(2 * third)
      socket.bytesRead += 1
    }
    expect(socket.destroy).not.toHaveBeenCalled()
  })

  it('may wait for a server that is slow to read or answer', () => {
    const slow = begun()
    slow.request.readableLength = 1
    const complete = begun()
    complete.request.complete = true
    vi.advanceTimersByTime(10 * limits.stalledBody)
    expect(slow.socket.destroy).not.toHaveBeenCalled()
    expect(complete.socket.destroy).not.toHaveBeenCalled()
  })

  it('a request body is monitored until its request closes; a request without a body is not', () => {
    begun({ 'content-length': '0' })
    begun({})
    expect(vi.getTimerCount()).toBe(0)
    const { close } = begun()
    expect(vi.getTimerCount()).toBe(1)
    close()
    expect(vi.getTimerCount()).toBe(0)
  })
})
