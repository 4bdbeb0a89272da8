import { limits } from '@cadmus/model/limits'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { AnswerScope, LargeAnswers, RequestScope } from './request-scope.ts'

const request = (large = new LargeAnswers(), socket = new Socket()) =>
  new RequestScope(socket, large, ['shop', '192.0.2.1'], () => undefined)
const half = limits.quickAnswer / 2

it('An attempt that is given up leaves nothing counted of its request, and nothing of others in it is given back', () => {
  const scope = request()
  const other = new AnswerScope(scope, false)
  expect(other.take(half)).toBeNull()
  const first = new AnswerScope(scope, false)
  expect([first.take(half), first.take(1)]).toEqual([null, 'needsSlot'])
  first.undo()
  expect(scope.room).toBe(half)
  expect(new AnswerScope(scope, false).take(half)).toBeNull()
})

it('An answer that holds each value several times counts as often', () => {
  const scope = new AnswerScope(request(), true, 4)
  expect([scope.take(half), scope.take(limits.databaseAnswer / 4 + 1)]).toEqual(['needsSlot', 'tooLarge'])
  expect(scope.take(half / 2)).toBeNull()
})

it('A change that is begun is answered what it reads after its caller has left, and a read is not', () => {
  const socket = new Socket()
  const scope = request(new LargeAnswers(), socket)
  socket.destroy()
  const more = limits.quickAnswer + 1
  expect([new AnswerScope(scope, true).take(more), new AnswerScope(scope, false).take(more)]).toEqual([
    'needsSlot',
    'gone',
  ])
})
