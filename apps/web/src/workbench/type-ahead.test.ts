import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdTyping, releaseTyping } from './type-ahead.ts'

let listeners: Map<string, (event: unknown) => void>
beforeEach(() => {
  vi.useFakeTimers()
  listeners = new Map()
  vi.stubGlobal('window', {
    setTimeout: (run: () => void, milliseconds: number) => setTimeout(run, milliseconds),
    addEventListener: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    removeEventListener: (name: string) => listeners.delete(name),
  })
})
afterEach(() => {
  releaseTyping()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Whether a key is buffered instead of going to the element with the focus. */
function isBuffered(key: string): boolean {
  const event = { key, preventDefault: vi.fn(), stopPropagation: () => undefined }
  listeners.get('keydown')?.(event)
  return event.preventDefault.mock.calls.length > 0
}

it('keys before a dialog are buffered for as long as its code is being loaded, and a while after', async () => {
  const { promise: code, resolve } = Promise.withResolvers<undefined>()
  holdTyping({ code })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(isBuffered('a')).toBe(true)
  resolve(undefined)
  await vi.advanceTimersByTimeAsync(2999)
  expect(isBuffered('b')).toBe(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(isBuffered('c')).toBe(false)
})

it('the code of an earlier dialog ends no buffering for a later one', async () => {
  const [first, second] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  holdTyping({ code: first.promise })
  holdTyping({ code: second.promise })
  first.reject(new Error('gone'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(isBuffered('a')).toBe(true)
})

it('keys are no longer buffered after Escape, however long the code takes', async () => {
  const { promise: code, resolve } = Promise.withResolvers<undefined>()
  holdTyping({ code })
  expect(isBuffered('Escape')).toBe(false)
  expect(isBuffered('a')).toBe(false)
  holdTyping()
  resolve(undefined)
  await vi.advanceTimersByTimeAsync(2999)
  expect(isBuffered('b')).toBe(true)
})
