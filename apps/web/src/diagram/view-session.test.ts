import { viewEdit, type PlacementChanges } from '@cadmus/model/diagram/view'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { at, ViewServer } from '../testing/view-server.ts'
import {
  answeredIn,
  canSend,
  copied,
  openView,
  placedIn,
  receivedIn,
  redoneIn,
  refusedIn,
  stepped,
  storedAs,
  undoneIn,
  withSending,
  type ViewSession,
} from './view-session.ts'

const opened = (server: ViewServer) => openView(server.view, { sends: true })

function step(session: ViewSession, changes: PlacementChanges, label = 'Move'): ViewSession {
  const edit = viewEdit(label, session.placements, changes)
  return edit ? stepped(session, edit) : session
}

let operations = 0

/** Sends what is unsent and takes over the answer. */
function synced(session: ViewSession, server: ViewServer, user: string) {
  if (!canSend(session)) return { session, refused: [] }
  operations += 1
  const sent = withSending(session, `operation-${operations}`)
  return answeredIn(sent, server.change(user, sent.sending!))
}

describe('steps in a view', () => {
  it('undo gives back the very placements, redo the later ones, saved or not', () => {
    const server = new ViewServer({ a: at(0), b: at(100) })
    const first = opened(server)
    const moved = step(first, { a: at(8), b: at(108) })
    const { session: saved } = synced(moved, server, 'me')
    const undone = undoneIn(saved).session
    expect(undone.placements).toEqual(first.placements)
    expect(redoneIn(undone).session.placements).toEqual(moved.placements)
    synced(undone, server, 'me')
    expect(server.view.placements).toEqual(first.placements)
  })

  it('undo leaves a card where someone else has put it since, and names it', () => {
    const server = new ViewServer({ a: at(0), b: at(100) })
    const { session: saved } = synced(step(opened(server), { a: at(8), b: at(108) }), server, 'me')
    server.change('other', { operationId: 'theirs', base: server.view.revision, changes: { b: at(500) } })
    const { session, skipped } = undoneIn(receivedIn(saved, server.view))
    expect(skipped).toEqual(['b'])
    expect(session.placements).toEqual({ a: at(0), b: at(500) })
  })

  it('a new step ends redo', () => {
    const session = step(undoneIn(step(opened(new ViewServer({ a: at(0) })), { a: at(8) })).session, { a: at(16) })
    expect(session.undone).toEqual([])
  })
})

describe('changes of several people', () => {
  it('a card that someone else moved first stays there, others are applied', () => {
    const server = new ViewServer({ a: at(0), b: at(100) })
    const mine = step(opened(server), { a: at(8), b: at(108) })
    server.change('other', { operationId: 'first', base: 1, changes: { b: at(500), c: at(7) } })
    const { session, refused } = synced(mine, server, 'me')
    expect(refused).toEqual(['b'])
    expect(session.placements).toEqual({ a: at(8), b: at(500), c: at(7) })
  })

  it('a card placed by the page gives way to a placement by someone else without a word', () => {
    const server = new ViewServer({ a: at(0) })
    const mine = placedIn(opened(server), { new: at(50) })
    server.change('other', { operationId: 'automatic', base: 1, changes: { new: at(300) } })
    expect(synced(mine, server, 'me')).toMatchObject({ refused: [], session: { placements: { new: at(300) } } })
    expect(receivedIn(mine, server.view).placements['new']).toEqual(at(300))
    expect(mine.done).toEqual([])
  })

  it('a refused request leaves the view as the server has it', () => {
    const server = new ViewServer({ a: at(0) })
    const sent = withSending(step(opened(server), { a: at(8) }), 'refused')
    expect(refusedIn(sent).placements).toEqual({ a: at(0) })
  })

  it('an older answer does not replace a newer state', () => {
    const server = new ViewServer({ a: at(0) })
    const before = server.view
    const { session } = synced(step(opened(server), { a: at(8) }), server, 'me')
    expect(receivedIn(session, before)).toBe(session)
  })

  it('random steps, undo and redo of two people end with the same view for both', () => {
    const user = fc.constantFrom('one', 'two')
    const card = fc.constantFrom('a', 'b', 'c')
    const action = fc.oneof(
      fc.record({ kind: fc.constant('move' as const), user, card, x: fc.nat(40) }),
      fc.record({ kind: fc.constantFrom('undo' as const, 'redo' as const, 'sync' as const, 'read' as const), user }),
    )
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), actions => {
        const server = new ViewServer({ a: at(0), b: at(0), c: at(0) })
        const sessions = new Map([
          ['one', opened(server)],
          ['two', opened(server)],
        ])
        for (const one of actions) {
          const before = sessions.get(one.user)!
          const act = {
            move: () => (one.kind === 'move' ? step(before, { [one.card]: at(one.x) }) : before),
            undo: () => undoneIn(before).session,
            redo: () => redoneIn(before).session,
            sync: () => synced(before, server, one.user).session,
            read: () => receivedIn(before, server.view),
          }
          sessions.set(one.user, act[one.kind]())
        }
        for (const name of ['one', 'two', 'one']) sessions.set(name, synced(sessions.get(name)!, server, name).session)
        for (const session of sessions.values())
          expect(receivedIn(session, server.view).placements).toEqual(server.view.placements)
      }),
      { numRuns: 500 },
    )
  })
})

it('a view that is stored later sends what was changed in between and keeps its steps', () => {
  const first = openView({ ...new ViewServer().view, uid: '', revision: 0 }, { sends: false })
  const placed = placedIn(first, { a: at(0), b: at(10) })
  const stored = { ...new ViewServer({ a: at(0), b: at(10) }).view }
  const later = storedAs(step(placed, { b: at(99) }), stored)
  expect(later.unsent).toEqual({ b: at(99) })
  expect(canSend(later)).toBe(true)
  expect(undoneIn(later).session.placements).toEqual(stored.placements)
})

it('a copy of a view starts without steps and is not sent', () => {
  const session = copied(step(opened(new ViewServer({ a: at(0) })), { a: at(8) }), 'Mine')
  expect(session).toMatchObject({ stored: { uid: '', name: 'Mine', shared: false }, done: [], sends: false })
  expect(session.placements).toEqual({ a: at(8) })
})

it('one request carries a limited number of changes, and the next one the rest', () => {
  const placements = Object.fromEntries(Array.from({ length: 12_000 }, (_, card) => [`e${card}`, at(card)]))
  const sent = withSending(placedIn(opened(new ViewServer()), placements), 'many')
  expect([Object.keys(sent.sending!.changes).length, Object.keys(sent.unsent).length]).toEqual([10_000, 2000])
  expect(sent.placements).toEqual(placements)
})
