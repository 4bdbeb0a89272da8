import { limits } from '@cadmus/model/limits'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { AnswerScope, LargeAnswers, RequestScope } from './request-scope.ts'

const request = (large = new LargeAnswers(), socket = new Socket()) =>
  new RequestScope(socket, large, ['shop', '192.0.2.1'], () => undefined)
const half = limits.quickAnswer / 2

it('a discarded attempt removes exactly its own bytes from the count of its request', () => {
  const scope = request()
  const other = new AnswerScope(scope, false)
  expect(other.take(half)).toBeNull()
  const first = new AnswerScope(scope, false)
  expect([first.take(half), first.take(1)]).toEqual([null, 'needsSlot'])
  first.undo()
  expect(scope.room).toBe(half)
  expect(new AnswerScope(scope, false).take(half)).toBeNull()
})

it('an answer that repeats values counts each copy', () => {
  const scope = new AnswerScope(request(), true, 4)
  expect([scope.take(half), scope.take(limits.databaseAnswer / 4 + 1)]).toEqual(['needsSlot', 'tooLarge'])
  expect(scope.take(half / 2)).toBeNull()
})

it('a started change continues after its caller has disconnected, a read does not', () => {
  const socket = new Socket()
  const scope = request(new LargeAnswers(), socket)
  socket.destroy()
  const more = limits.quickAnswer + 1
  expect([new AnswerScope(scope, true).take(more), new AnswerScope(scope, false).take(more)]).toEqual([
    'needsSlot',
    'gone',
  ])
})

it('a request whose change was refused waits for a slot again, and is not refused after a committed change', async () => {
  const large = new LargeAnswers()
  const scope = new RequestScope(new Socket(), large, ['shop', '192.0.2.1'], () => {
    throw new Error('No room.')
  })
  await expect(new AnswerScope(scope, true).slot()).rejects.toThrow('No room.')
  expect(scope.hasSlot).toBe(false)
  scope.isCommitted = true
  await scope.slot()
  expect(scope.hasSlot).toBe(true)
})

it('an operation is refused if the tables changed while it waited for a slot', async () => {
  const scope = request()
  const operation = new AnswerScope(scope, true)
  scope.isRetired = true
  await expect(operation.slot()).rejects.toThrow('The package is being changed.')
})
