import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { limits } from './limits.ts'
import { closeWhenStalled } from './stalled-body.ts'

describe('A body that is received', () => {
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

  it('ends with its connection when nothing arrives for 30 s', () => {
    const { socket } = begun()
    vi.advanceTimersByTime(limits.stalledBody - 1)
    expect(socket.destroy).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(socket.destroy).toHaveBeenCalledTimes(1)
    const { socket: chunked } = begun({ 'transfer-encoding': 'chunked' })
    vi.advanceTimersByTime(limits.stalledBody)
    expect(chunked.destroy).toHaveBeenCalledTimes(1)
  })

  it('may take long as long as something arrives', () => {
    const { socket } = begun()
    for (let count = 0; count < 10; count += 1) {
      vi.advanceTimersByTime(2 * third)
      socket.bytesRead += 1
    }
    expect(socket.destroy).not.toHaveBeenCalled()
  })

  it('may wait for a server that is slow to read or to answer', () => {
    const slow = begun()
    slow.request.readableLength = 1
    const complete = begun()
    complete.request.complete = true
    vi.advanceTimersByTime(10 * limits.stalledBody)
    expect(slow.socket.destroy).not.toHaveBeenCalled()
    expect(complete.socket.destroy).not.toHaveBeenCalled()
  })

  it('is watched until its request is closed, and only where there is one', () => {
    begun({ 'content-length': '0' })
    begun({})
    expect(vi.getTimerCount()).toBe(0)
    const { close } = begun()
    expect(vi.getTimerCount()).toBe(1)
    close()
    expect(vi.getTimerCount()).toBe(0)
  })
})
