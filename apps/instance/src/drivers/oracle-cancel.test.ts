import { Socket } from 'node:net'
import oracledb, { type Connection } from 'oracledb'
import { afterEach, expect, it, vi } from 'vitest'
import { AnswerScope, LargeAnswers, RequestScope } from '../request-scope.ts'
import { openOracle } from './oracle.ts'

afterEach(() => vi.restoreAllMocks())

// Runs without a server, following the documentation of `breakExecution`.
function fakeServer({ endsBeforeBreak = false, refusesSession = false, answersPing = true } = {}) {
  const calls: unknown[] = []
  const sent = Promise.withResolvers<void>()
  const executed = Promise.withResolvers<Awaited<ReturnType<Connection['execute']>>>()
  const connection: Connection = {
    callTimeout: 0,
    execute: async text => {
      if (text !== statement.text && refusesSession) throw new Error('ORA-00028: ended')
      if (text !== statement.text) return {}
      sent.resolve()
      return executed.promise
    },
    breakExecution: async () => {
      calls.push('break')
      if (endsBeforeBreak) executed.resolve({})
      executed.reject(new Error('ORA-01013: user requested cancel of current operation'))
    },
    commit: async () => undefined,
    rollback: async () => undefined,
    close: async () => void calls.push('close'),
    isHealthy: () => true,
    ping: async () => {
      calls.push('ping')
      if (!answersPing) throw new Error('NJS-500: connection to the server was closed')
    },
  }
  const connect = vi.spyOn(oracledb, 'getConnection').mockImplementation(async () => ({ ...connection }))
  const end = () => executed.reject(new Error('ORA-00028: ended'))
  return { calls, connect, sent: sent.promise, end, answer: () => executed.resolve({}) }
}

const statement = { text: 'SELECT 1 FROM DUAL', parameters: [] }
const settings = { dialect: 'oracle', host: 'db', port: 1521, database: 'x', username: 'u', password: 'p' } as const

it('a read on Oracle is cancelled when its caller disconnects, and its connection is dropped', async () => {
  const { calls, sent } = fakeServer()
  const socket = new Socket()
  const request = new RequestScope(socket, new LargeAnswers(), ['shop', '192.0.2.1'], () => undefined)
  const reading = openOracle(settings).query(statement, new AnswerScope(request, false))
  await sent
  socket.destroy()
  request.end()
  await expect(reading).rejects.toMatchObject({ kind: 'gone' })
  expect(calls).toEqual(['break', 'close'])
})

it('a read on Oracle that ends before its cancellation drops its connection, which the cancellation may still hit', async () => {
  const { calls, sent } = fakeServer({ endsBeforeBreak: true })
  const request = new RequestScope(new Socket(), new LargeAnswers(), ['shop', '192.0.2.1'], () => undefined)
  const reading = openOracle(settings).query(statement, new AnswerScope(request, false))
  await sent
  request.end()
  await expect(reading).rejects.toMatchObject({ kind: 'gone' })
  expect(calls).toEqual(['break', 'close'])
})

it('a change on Oracle is not cancelled when its caller disconnects', async () => {
  const { calls, sent, end } = fakeServer()
  const socket = new Socket()
  const request = new RequestScope(socket, new LargeAnswers(), ['shop', '192.0.2.1'], () => undefined)
  const changing = openOracle(settings).transaction(connection =>
    connection.query(statement, new AnswerScope(request, true)),
  )
  await sent
  socket.destroy()
  request.end()
  end()
  await expect(changing).rejects.toMatchObject({ kind: 'unavailable' })
  expect(calls).toEqual(['close'])
})

it('a connection to Oracle whose session cannot be set up is closed', async () => {
  const { calls } = fakeServer({ refusesSession: true })
  await expect(openOracle(settings).query(statement)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(calls).toEqual(['close'])
})

it.each([
  { answersPing: true, connections: 1, calls: ['ping'] },
  { answersPing: false, connections: 2, calls: ['ping', 'close'] },
])('a connection to Oracle that was idle is checked before its next use: %o', async ({ answersPing, ...expected }) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { calls, connect, answer } = fakeServer({ answersPing })
  answer()
  const driver = openOracle(settings)
  await driver.query(statement)
  await driver.query(statement)
  expect(calls).toEqual([])
  vi.advanceTimersByTime(2000)
  await driver.query(statement)
  expect({ calls, connections: connect.mock.calls.length }).toMatchObject(expected)
  vi.useRealTimers()
})
