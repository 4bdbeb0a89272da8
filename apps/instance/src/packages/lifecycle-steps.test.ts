import { describe, expect, it } from 'vitest'
import {
  after,
  failure,
  fault,
  first,
  opened,
  read,
  reopened,
  second,
  sequence,
  set,
  upload,
  versionAt,
  type World,
} from './testing/package-world.ts'
import { type PackageEvent, step } from './lifecycle.ts'
import { versionOf } from './package-folder.ts'

describe('life cycle, step by step', () => {
  const running = sequence(first, read, opened)
  const request = (type: 'remove' | 'close'): PackageEvent => ({ type: 'requested', request: { type } })
  const changing: PackageEvent = { type: 'changing' }
  const drained: PackageEvent = { type: 'drained' }
  const waiting: PackageEvent = { type: 'waiting' }
  const committing: PackageEvent = { type: 'committing' }
  const stopped: PackageEvent = { type: 'stopped' }
  const removed: PackageEvent = { type: 'removed' }
  const next: PackageEvent = { type: 'next' }
  const retryDue: PackageEvent = { type: 'retryDue' }
  const checked = (isCurrent: boolean): PackageEvent => ({ type: 'checked', isCurrent })
  const previewed = (file: string): PackageEvent => ({ type: 'previewed', file, preview: ['It would be refused.'] })
  const refused = (event: PackageEvent): PackageEvent => ({ type: 'refused', event, error: failure })
  const effects = ({ state }: World, event: PackageEvent) => step(state, event)[1]
  const beside = { ...versionAt(2, 'LOADED'), before: versionOf(first) }

  it('a start reads the version, opens it, drains requests, alters tables, commits and is started', () => {
    const events = [read, changing, drained, committing, opened]
    const targets = events.map((_, at) => sequence(first, ...events.slice(0, at)).state.target)
    expect(targets.map(target => target.state === 'starting' && target.phase)).toEqual([
      'reading',
      'opening',
      'draining',
      'altering',
      'committed',
    ])
    expect(running.state.target).toEqual({ state: 'started', stored: { ...first, before: undefined } })
    expect(effects(sequence(first, read, changing, drained, committing), opened)).toEqual(['swap', 'openGate'])
    const again = sequence(first, read, changing, drained, waiting)
    expect(again.state.target).toMatchObject({ state: 'starting', phase: 'opening', isWaiting: true })
  })

  it('a start of the running version ends at once if its connection works, otherwise the version is read again', () => {
    const checking = sequence(first, read, opened, set('STARTED'))
    expect(checking.state.target).toMatchObject({ state: 'starting', phase: 'checking' })
    expect(step(checking.state, checked(true))).toEqual([running.state, []])
    expect(after(checking, checked(false))).toMatchObject({ work: 'read', state: { target: { phase: 'reading' } } })
  })

  it('a start after a restart first reopens the version that answered', () => {
    const reopening = sequence({ ...second, before: versionOf(first) })
    expect(reopening).toMatchObject({ work: 'reopen', state: { target: { phase: 'reopening' } } })
    const reading = sequence({ ...second, before: versionOf(first) }, reopened)
    expect(reading).toMatchObject({ work: 'read', answering: first.file, state: { target: { phase: 'reading' } } })
  })

  it('a loaded version is previewed once the version that answered before is reopened', () => {
    const preview = { type: 'preview', file: second.file }
    expect(effects(sequence(beside, read), reopened)).toEqual(['swap', preview])
    expect(effects(sequence(beside, read), fault(false))).toEqual([])
    expect(effects(sequence(beside, fault(false)), reopened)).toEqual(['swap'])
  })

  it.each([
    ['LOADED', 'stop', 'read', 'loading'],
    ['UNLOADED', 'stop', null, 'unloaded'],
  ] as const)('a running version that is to be %s is stopped first', (requested, stopping, work, state) => {
    const requesting = after(running, set(requested))
    expect(requesting).toMatchObject({ work: stopping, answering: null, state: { active: null } })
    expect(after(requesting, stopped)).toMatchObject({ work, state: { target: { state } } })
    expect(after(sequence(beside, read, reopened), set(requested)).disk.before).toBeNull()
    // A version that is not running needs no stop.
    const idle = sequence({ ...versionAt(1, 'UNLOADED'), before: null }, set(requested))
    expect(idle).toMatchObject({ work, state: { target: { state } } })
  })

  it.each([
    ['STARTED', 'open', 'starting', first.file],
    ['LOADED', { type: 'preview', file: second.file }, 'loading', first.file],
    ['UNLOADED', 'stop', 'stopping', null],
  ] as const)('an upload that is to be %s replaces the running version', (requested, work, state, answering) => {
    const uploaded = after(running, upload(versionAt(2, requested)))
    expect(uploaded).toMatchObject({ work, answering, state: { target: { state, stored: { file: second.file } } } })
  })

  it('an upload is opened at once, or loaded and stored after the stop', () => {
    expect(after(running, upload(second)).state.target).toMatchObject({ phase: 'opening' })
    const stopping = after(running, upload(versionAt(2, 'UNLOADED')))
    expect(after(stopping, stopped)).toMatchObject({ disk: { file: second.file, before: null }, work: null })
  })

  it('a preview is stored with its version only', () => {
    const loading = after(running, upload(versionAt(2, 'LOADED')))
    expect(effects(loading, previewed(first.file))).toEqual([])
    const loaded = after(loading, previewed(second.file))
    expect(loaded.state).toMatchObject({ former: null, target: { state: 'loaded', preview: ['It would be refused.'] } })
    const cleared = step(loaded.state, { type: 'previewed', file: second.file, preview: [] })
    expect(cleared).toEqual([{ ...loaded.state, target: { ...loaded.state.target, preview: [] } }, []])
    expect(step(loaded.state, previewed(first.file))).toEqual([loaded.state, []])
    // A version without a requested preview, and one that has started since.
    for (const { state } of [sequence({ ...versionAt(2, 'LOADED'), before: null }), running])
      expect(step(state, previewed(state.target.stored.file))).toEqual([state, []])
    const read2 = step(sequence({ ...versionAt(2, 'LOADED'), before: null }).state, read)
    expect(read2).toMatchObject([{ target: { state: 'loaded', preview: [] } }, []])
  })

  it('reports of work that has ended are ignored', () => {
    const unloaded = sequence({ ...versionAt(1, 'UNLOADED'), before: null })
    const late = [
      read,
      opened,
      reopened,
      stopped,
      checked(true),
      changing,
      drained,
      waiting,
      committing,
      next,
      fault(true),
    ]
    for (const { state } of [running, unloaded])
      for (const event of late) expect(step(state, event)).toEqual([state, []])
    const busy = sequence(first).state
    for (const event of [reopened, stopped, next, retryDue]) expect(step(busy, event)).toEqual([busy, []])
  })

  it('a removal stops and removes the package once, keeps later settings waiting and drops uploads', () => {
    const removing = after(running, request('remove'))
    expect(removing).toMatchObject({ work: 'stop', state: { removing: true, target: { next: 'removed' } } })
    expect(step(removing.state, request('remove'))).toEqual([removing.state, []])
    const [waits, more] = step(removing.state, set('LOADED'))
    expect([waits.queue.length, waits.removing, more]).toEqual([1, true, ['next']])
    expect(effects(removing, stopped)).toEqual(['remove'])
    const [closed, last] = step(after(removing, stopped).state, removed)
    expect([closed.target.state, last]).toEqual(['closed', []])
    expect(step(closed, upload(second))).toEqual([closed, [{ type: 'drop', file: second.file }]])
    for (const event of [set('LOADED'), read, retryDue]) expect(step(closed, event)).toEqual([closed, []])
  })

  it('a failed removal leaves the version unloaded, and a former one to be reopened by the next start', () => {
    const failed = [running, sequence(beside, read, reopened)].map(world =>
      [request('remove'), stopped, fault(false)].reduce((now, event) => after(now, event), world),
    )
    expect(failed.map(({ state }) => [state.target.state, state.active?.state, state.removing])).toEqual([
      ['unloaded', undefined, false],
      ['unloaded', 'stopped', false],
    ])
    expect(failed.map(world => after(world, set('STARTED')).work)).toEqual(['read', 'reopen'])
  })

  it('a closed package has stopped and remains stored', () => {
    const closing = after(running, request('close'))
    expect(closing).toMatchObject({ work: 'stop', state: { target: { next: 'closed' } } })
    expect(after(closing, stopped)).toMatchObject({
      work: null,
      isRemoved: false,
      state: { target: { state: 'closed' } },
    })
  })

  it('a start without a readable file fails until another request', () => {
    const unreadable = sequence(first, fault(true))
    expect(unreadable.state.target).toMatchObject({ state: 'unreadable', error: failure })
    // A version that is not retried does not become the one to return to.
    const uploaded = after(after(unreadable, upload(second)), fault(true))
    expect(uploaded.state).toMatchObject({ active: null, target: { state: 'retrying' } })
  })

  it('an upload that fails before its commit is dropped, and the version before it returns', () => {
    const opening = after(running, upload(second))
    const drop = { type: 'drop', file: second.file }
    expect(step(opening.state, fault(false))).toMatchObject([
      { target: running.state.target, former: null, refusal: { upload: { file: second.file }, error: failure } },
      [drop, 'openGate'],
    ])
    expect(effects(opening, refused(opened))).toEqual([drop, 'discard', 'openGate'])
    const loading = after(running, upload(versionAt(2, 'LOADED')))
    for (const event of [previewed(second.file), fault(true)])
      expect(step(loading.state, refused(event))).toMatchObject([
        { ...running.state, refusal: { error: failure } },
        [drop, 'openGate'],
      ])
  })

  it('a request that cannot be stored changes nothing', () => {
    const queued = (event: PackageEvent) => step(running.state, event)[0]
    expect(step(queued(set('LOADED')), refused(next))).toEqual([
      { ...running.state, refusal: { upload: null, error: failure } },
      ['resetRetries'],
    ])
    expect(step(queued(upload(versionAt(2, 'UNLOADED'))), refused(next))).toMatchObject([
      { target: running.state.target, queue: [], refusal: { upload: { file: second.file } } },
      [{ type: 'drop', file: second.file }, 'resetRetries', 'openGate'],
    ])
  })

  it('any other state that cannot be stored is held in memory until the next one is stored', () => {
    const uploaded = step(running.state, upload(second))[0]
    expect(step(uploaded, refused(next))).toEqual(step(uploaded, next))
    const opening = sequence({ ...second, before: null }, read)
    for (const event of [opened, fault(true), fault(false)])
      expect(step(opening.state, refused(event))).toEqual(step(opening.state, event))
    const { state } = after(after(running, upload(versionAt(2, 'LOADED'))), previewed(second.file))
    expect(step(state, refused(previewed(second.file)))).toEqual(step(state, previewed(second.file)))
    expect(step(state, refused(next))).toEqual([state, []])
  })
})
