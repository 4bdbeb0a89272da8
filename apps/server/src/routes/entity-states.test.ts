import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallInput } from '@cadmus/model/contract/call'
import { entityEdits, readEntityStates, saveChanges } from '@cadmus/model/contract/edits'
import { createEntity, deleteEntity, getEntity } from '@cadmus/model/contract/entity'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import { limits } from '@cadmus/model/limits'
import { newUid } from '@cadmus/model/uid'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest } from '../testing/entities.ts'

describeOnBothStores.whenProving('The states of several entities at once', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let colleague: ConsoleClient
  let root: number
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    colleague = await server.as('admin', 'ACME')
    root = await addManifest(server, 'States')
  })
  afterAll(() => server.stop())

  let count = 0
  const create = async (typeAttributes: { name: string; description?: string }[] = []) => {
    const entity = { name: `State${++count}`, typeAttributes }
    return (await designer.call(createEntity, { body: { entity, targetManifestId: root } })).entity.id
  }
  const describing = (id: number, description: string) => ({
    kind: 'entity' as const,
    id,
    base: '*',
    edits: [{ kind: 'changeEntity' as const, change: { description } }],
  })
  const save = async (changes: ReturnType<typeof describing>[], client = designer) =>
    client.call(saveChanges, { body: { format: editFormat, operationId: newUid(), changes } })
  type Requested = CallInput<typeof readEntityStates>['body']['entities']
  const read = async (entities: Requested) => designer.call(readEntityStates, { body: { entities } })

  it('are what a GET of each and its log answer, with what the same requests changed', async () => {
    const [one, two, untouched] = [await create(), await create(), await create()]
    await save([describing(one, 'before'), describing(two, 'before')])
    const { results } = await save([describing(two, 'after'), describing(one, 'after')])
    const [second, first] = results.map(({ entry }) => entry!.sequence)
    await save([describing(one, 'theirs')], colleague)
    const {
      states,
      read: count,
      others,
    } = await read([
      { id: one, change: { sequence: first!, last: first! } },
      { id: two, change: 'last' },
      { id: untouched },
    ])
    expect(count).toBe(3)
    for (const [index, id] of [one, two, untouched].entries()) {
      const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
      expect([states[index]?.entity, states[index]?.etag]).toEqual([answer.entity, etag])
    }
    for (const [index, [id, sequence]] of [[one, first!] as const, [two, second!] as const].entries()) {
      const logged = await designer.call(entityEdits.states, { params: { id, sequence } })
      const { entries, ...contents } = states[index]!.change!
      expect(contents).toEqual({ before: logged.before, after: logged.after })
      expect(entries).toEqual([{ ...logged.entry, edits: null }])
    }
    expect(states[2]?.change).toBeNull()
    expect(others?.map(({ sequence }) => sequence)).toEqual([second, first])
  })

  it('of a change with several entries lead from the first to the last; entries of other documents do not count', async () => {
    const [one, two] = [await create(), await create()]
    const first = await save([describing(one, 'first')])
    const second = await save([describing(one, 'second')])
    const foreign = await save([describing(two, 'foreign')])
    const [sequence, last, other] = [first, second, foreign].map(({ results }) => results[0]!.entry!.sequence)
    const requested = [
      { id: one, change: { sequence: sequence!, last: last! } },
      { id: one, change: { sequence: other!, last: other! } },
    ]
    const { states } = await read(requested)
    expect([states[0]?.change?.before?.description, states[0]?.change?.after?.description]).toEqual(['', 'second'])
    expect(states[1]?.change).toBeNull()
  })

  it('leave out what does not exist or belongs to another organisation, and come in parts', async () => {
    const [gone, there] = [await create(), await create()]
    await designer.call(deleteEntity, { params: { id: gone }, query: {} })
    const outsider = await server.as('admin', 'CADMUS')
    const { states, read: count } = await read([{ id: gone, change: 'last' }, { id: there }])
    expect([count, states.map(({ entity }) => entity.id)]).toEqual([2, [there]])
    const foreign = await outsider.call(readEntityStates, { body: { entities: [{ id: there, change: 'last' }] } })
    expect(foreign).toEqual({ states: [], read: 1, others: [] })
    const description = 'd'.repeat(4000)
    const wide = await create(Array.from({ length: 500 }, (_, index) => ({ name: `a${index}`, description })))
    const part = await read(Array.from({ length: 4 }, () => ({ id: wide })))
    expect(part.read).toBeLessThan(4)
    expect(part.states.length).toBe(part.read)
    const tooMany = Array.from({ length: limits.readStates.entities + 1 }, () => ({ id: there }))
    expect((await designer.refusal(readEntityStates, { body: { entities: tooMany } })).status).toBe(400)
  })
})
