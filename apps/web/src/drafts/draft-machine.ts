import { messages } from '@cadmus/model/messages'
import { isAway } from '../api/connection.ts'
import { ApiError, messageOf } from '../api/error.ts'
import { isSamePlace } from './draft-adapter.ts'
import { commonOf, conflicted, DraftChanges, idle, settled } from './draft-changes.ts'
import type { Draft, Drafts, Loaded } from './draft.ts'
import {
  busy,
  operationOf,
  unknownChange,
  unknownDeletion,
  type Common,
  type Conflicted,
  type Discarded,
  type DraftEffect,
  type DraftEvent,
  type Next,
  type OpenDraft,
  type Outcome,
  type Queue,
  type Reading,
  type Refusal,
  type Saved,
  type SaveRequest,
  type Saving,
  type Unknown,
} from './open-draft.ts'
import { hasUnsaved } from './stored-draft.ts'

/** Statuses that indicate a state newer than the one shown. */
const reloadStatuses: ReadonlySet<number> = new Set([400, 403, 404])

const derivedKinds: ReadonlySet<string> = new Set(['derive', 'undo', 'redo'])

/** Whether reading the current state may show why a call was refused. */
export function isStale(failure: unknown): boolean {
  return failure instanceof ApiError && (failure.conflicts.length > 0 || reloadStatuses.has(failure.status))
}

/** The life cycle of drafts of one kind of document. Pure: effects are returned. */
export class DraftMachine<S extends Saved, C, E> {
  readonly #drafts: Drafts<S, C, E>
  readonly #changes: DraftChanges<S, C, E>
  readonly #failed: string

  /** `failed`: error text for failed saves without a message from the server. */
  constructor(drafts: Drafts<S, C, E>, failed: string) {
    this.#drafts = drafts
    this.#changes = new DraftChanges(drafts)
    this.#failed = failed
  }

  /** `at`: time of the event, ISO 8601. An undefined draft is not open. */
  step(
    open: OpenDraft<S, C, E> | undefined,
    event: DraftEvent<S, C, E>,
    at: string,
  ): readonly [OpenDraft<S, C, E> | undefined, readonly DraftEffect<S, C, E>[]] {
    const [next, effects] = open ? this.#handle(open, event, at) : this.#opening(event)
    if (!next || next === open) return [next, effects]
    const dated = { ...next, changedAt: next.draft.changes > 0 ? (next.changedAt ?? at) : null }
    return [dated, [...this.#storing(open, dated), ...effects]]
  }

  #opening(event: DraftEvent<S, C, E>): Next<S, C, E> | readonly [undefined, readonly DraftEffect<S, C, E>[]] {
    if (event.kind === 'loaded') return [this.#opened(this.#drafts.open(event.loaded.saved, event.loaded.etag)), []]
    if (event.kind === 'restored') return [this.#restored([], event), []]
    if (event.kind === 'undoDiscard') {
      const { draft, deleted } = event.discarded
      const open = this.#opened(draft)
      return [deleted ? { ...open, state: 'deleted', by: deleted, saving: false } : open, []]
    }
    if (event.kind === 'savedAsNew') return [undefined, [finish(event.request, event.isSaved ? 'none' : 'cancelled')]]
    if (event.kind === 'save' || event.kind === 'keep') return [undefined, [finish(event.request, 'cancelled')]]
    return [undefined, []]
  }

  #opened(draft: Draft<S, C, E>): OpenDraft<S, C, E> {
    const common = { problem: null, changedAt: null, restored: false, secretsOmitted: false, ownSaves: [] }
    return idle({ ...common, draft })
  }

  #restored(
    ownSaves: OpenDraft<S, C, E>['ownSaves'],
    { draft, changedAt, restored, secretsOmitted }: Extract<DraftEvent<S, C, E>, { kind: 'restored' }>,
  ): OpenDraft<S, C, E> {
    return idle({ draft, problem: null, changedAt, restored, secretsOmitted, ownSaves })
  }

  /** Stores the draft while closing the page would lose changes, otherwise removes it. */
  #storing(before: OpenDraft<S, C, E> | undefined, open: OpenDraft<S, C, E>): DraftEffect<S, C, E>[] {
    if (hasUnsaved(this.#drafts, open)) {
      const isSame = before && before.draft === open.draft && operationOf(before) === operationOf(open)
      return isSame ? [] : [{ kind: 'store' }]
    }
    return before && hasUnsaved(this.#drafts, before) ? [{ kind: 'remove' }] : []
  }

  // oxlint-disable-next-line max-lines-per-function -- A table of events.
  #handle(open: OpenDraft<S, C, E>, event: DraftEvent<S, C, E>, at: string): Next<S, C, E> {
    switch (event.kind) {
      case 'edit':
      case 'editOn':
      case 'editAbove':
      case 'derive':
      case 'undo':
      case 'redo':
        // Input typed before the deletion was noticed is applied, but undo could remove all that the document still shows.
        if (open.state === 'deleted' && derivedKinds.has(event.kind)) return [open, []]
        return [this.#changes.changed(open, this.#changes.edited(open, event), at), []]
      case 'discard':
        return this.#discard(open, at)
      case 'undoDiscard':
        return this.#undoDiscard(open, event.discarded, at)
      case 'restored':
        return [this.#restored(open.ownSaves, event), []]
      case 'loaded':
        return this.#loaded(open, event.loaded)
      case 'read':
        return open.state === 'reading' && open.after === event.after ? this.#afterReading(open, event) : [open, []]
      case 'deleted':
        return this.#deletedRemotely(open)
      case 'deletedBy':
        return [open.state === 'deleted' ? { ...open, by: event.by } : open, []]
      case 'save':
        return this.#save(open, event.request)
      case 'keep':
        return open.state === 'conflicted' ? this.#keep(open, event) : [open, [finish(event.request, 'none')]]
      case 'savedAsNew':
        return this.#savedAsNew(open, event)
      case 'recreated':
        return [this.#changes.withDraft(open, this.#drafts.open(open.draft.saved, open.draft.etag)), []]
      case 'authors':
        return [open.state === 'conflicted' ? withAuthors(open, event) : open, []]
      case 'failed':
        return [this.#withFailure(open, event.failure, event.fallback), []]
      case 'succeeded':
        return [open.problem ? { ...open, problem: null } : open, []]
      case 'acknowledged':
        return [{ ...open, restored: false, secretsOmitted: false }, []]
      case 'online':
        return this.#online(open)
      default:
        return this.#answered(open, event)
    }
  }

  /** Answers to anything but the current operation are late and ignored. */
  #answered(open: OpenDraft<S, C, E>, event: Extract<DraftEvent<S, C, E>, { operationId: string }>): Next<S, C, E> {
    if (operationOf(open)?.id !== event.operationId) return [open, []]
    if (open.state === 'saving') {
      if (event.kind === 'stored') return then(this.#stored(open, event.answer, false), finish(open.request, 'saved'))
      if (event.kind === 'cancelled') return this.#ended(open, 'cancelled')
      if (event.kind === 'refused') return this.#refused(open, event.failure)
      if (event.kind === 'unanswered') return this.#unanswered(open, event.failure)
    }
    if (open.state === 'unknown') {
      if (event.kind === 'settled') return this.#settled(open, event.answer)
      if (event.kind === 'unsettled') return this.#unsettled(open, event.failure)
    }
    return [open, []]
  }

  #discard(open: OpenDraft<S, C, E>, at: string): Next<S, C, E> {
    const { draft, ownSaves } = open
    if (draft.done.length === 0) return [open, []]
    const running = operationOf(open)
    const operations = [...ownSaves.map(({ id }) => id), ...(running ? [running.id] : [])]
    const discarded = { draft, deleted: open.state === 'deleted' ? open.by : null, operations }
    return [
      this.#changes.changed(open, this.#changes.edited(open, { kind: 'discard' }), at),
      [{ kind: 'offerUndo', discarded }],
    ]
  }

  #undoDiscard(open: OpenDraft<S, C, E>, discarded: Discarded<S, C, E>, at: string): Next<S, C, E> {
    const waiting = busy(open)
    if (waiting) return [{ ...waiting, queue: [...waiting.queue, { discarded, at }] }, []]
    return [this.#changes.discardUndone(open, discarded, at), []]
  }

  #loaded(open: OpenDraft<S, C, E>, loaded: Loaded<S>): Next<S, C, E> {
    const waiting = busy(open)
    if (waiting) return [{ ...waiting, incoming: loaded }, []]
    if (open.state !== 'unknown') return [this.#changes.received(open, loaded), []]
    // The state may be the result of the unanswered save, or equal content saved by another user.
    return settling({ ...open, incoming: loaded })
  }

  #deletedRemotely(open: OpenDraft<S, C, E>): Next<S, C, E> {
    const waiting = busy(open)
    if (waiting) return [{ ...waiting, incoming: 'deleted' }, []]
    if (open.state === 'deleted') return [open, []]
    const deleted = { state: 'deleted', by: unknownDeletion, saving: false } as const
    return [{ ...commonOf(open), problem: null, ...deleted }, [{ kind: 'findDeletion' }]]
  }

  /** Applies what was read while an answer was awaited. */
  #withIncoming(open: OpenDraft<S, C, E>, incoming: Loaded<S> | 'deleted' | null): Next<S, C, E> {
    if (incoming === null) return [open, []]
    return incoming === 'deleted' ? this.#deletedRemotely(open) : this.#loaded(open, incoming)
  }

  #save(open: OpenDraft<S, C, E>, request: SaveRequest): Next<S, C, E> {
    if (open.state === 'deleted') {
      if (open.saving) return [open, [finish(request, 'cancelled')]]
      return [{ ...open, saving: true, problem: null }, [{ kind: 'saveAsNew', request }]]
    }
    const waiting = busy(open)
    if (waiting) return [{ ...waiting, queue: [...waiting.queue, request] }, []]
    if (open.state === 'unknown') return settling({ ...open, queue: [request] })
    return this.#next(open, [request])
  }

  /** Serves the queue until an answer is awaited again. `isStored`: an earlier save has just turned out to be stored. */
  #next(open: OpenDraft<S, C, E>, queue: Queue<S, C, E>, isStored = false): Next<S, C, E> {
    const [head, ...rest] = queue
    if (!head) return [open, []]
    if ('discarded' in head)
      return this.#next(this.#changes.discardUndone(open, head.discarded, head.at), rest, isStored)
    if (open.state === 'deleted') return then(this.#next(open, rest), finish(head, { failure: gone() }))
    if (open.draft.changes === 0) return then(this.#next(open, rest), finish(head, isStored ? 'saved' : 'none'))
    return this.#begin(open, head, rest)
  }

  /** Sends the draft, unless it conflicts with a state that the page knows. */
  #begin(open: OpenDraft<S, C, E>, request: SaveRequest, queue: Queue<S, C, E>): Next<S, C, E> {
    const { draft, conflict } = this.#changes.sendable(open.draft)
    const { incoming } = draft
    const sent = conflict ? draft : { ...draft, incoming: null }
    const operation = { id: request.id, sent }
    const saving = {
      ...commonOf(open),
      draft: sent,
      problem: null,
      state: 'saving' as const,
      operation,
      request,
      incoming: conflict ? null : incoming,
      queue,
    }
    return conflict ? this.#refused(saving, conflict) : [saving, [{ kind: 'send', operation }]]
  }

  /** `isSettled`: the outcome of an unanswered save, which queued saves then report as theirs. */
  #stored(
    open: Common<S, C, E> & (Saving<S, C, E> | Unknown<S, C, E>),
    answer: Loaded<S>,
    isSettled: boolean,
  ): Next<S, C, E> {
    const { operation, incoming, queue } = open
    const [next, effects] = this.#changes.withStored(open, operation, answer)
    if (incoming && incoming !== 'deleted' && incoming.etag !== answer.etag) {
      // States read since then may be newer or older than the answer; only a new read is reliable.
      const reading = { state: 'reading' as const, refusal: null, incoming: null, queue }
      const after = { kind: 'stored' as const, isSettled }
      return [{ ...commonOf(next), ...reading, after }, [...effects, { kind: 'read', after }]]
    }
    const [now, more] = this.#withIncoming(next, incoming === 'deleted' ? incoming : null)
    return then(this.#next(now, queue, isSettled), ...effects, ...more)
  }

  /** Ends a save that was not sent or not stored. */
  #ended(open: Common<S, C, E> & Saving<S, C, E>, outcome: Outcome): Next<S, C, E> {
    const { request, incoming, queue } = open
    const [now, effects] = this.#withIncoming(idle(open), incoming)
    return then(this.#next(now, queue), ...effects, finish(request, outcome))
  }

  #refused(open: Common<S, C, E> & Saving<S, C, E>, failure: unknown): Next<S, C, E> {
    const { request, incoming, queue } = open
    const failed = this.#problemOf(failure)
    if (!isStale(failure)) return this.#ended({ ...open, problem: failed }, { failure })
    const refusal: Refusal<S> | null = refusalOf(failure)
    // Conflicts are shown with the state that they refer to.
    const problem = refusal ? null : failed
    const reading = { state: 'reading' as const, refusal, incoming, queue }
    const after = { kind: 'refused' as const, request, failure }
    return [{ ...commonOf(open), problem, ...reading, after }, [{ kind: 'read', after }]]
  }

  #unanswered(open: Common<S, C, E> & Saving<S, C, E>, failure: unknown): Next<S, C, E> {
    const { request, operation, incoming, queue } = open
    const problem = this.#problemOf(failure)
    const unknown = { state: 'unknown' as const, operation, settling: false, incoming: null, queue: [] }
    const [now, effects] = this.#withIncoming({ ...commonOf(open), problem, ...unknown }, incoming)
    const end: DraftEffect<S, C, E> = finish(request, { failure })
    if (now.state !== 'unknown') return then(this.#next(now, queue), ...effects, end)
    if (queue.length === 0) return [now, [...effects, end]]
    return then(settling({ ...now, queue }), end)
  }

  #settled(open: Common<S, C, E> & Unknown<S, C, E>, answer: Loaded<S> | null): Next<S, C, E> {
    const { incoming, queue } = open
    if (!answer) {
      const [now, effects] = this.#withIncoming(idle(open), incoming)
      return then(this.#next(now, queue), ...effects)
    }
    return this.#stored(open, answer, true)
  }

  /** Waits for the next read or successful call to settle the unknown outcome. */
  #unsettled(open: Common<S, C, E> & Unknown<S, C, E>, failure: unknown): Next<S, C, E> {
    const requests = open.queue.flatMap(item => ('discarded' in item ? [] : [item]))
    const problem = requests.length > 0 ? this.#problemOf(failure) : open.problem
    const others = open.queue.filter(item => 'discarded' in item)
    const waiting: OpenDraft<S, C, E> = { ...open, problem, settling: false, queue: [] }
    const [now, effects]: Next<S, C, E> = open.incoming === 'deleted' ? this.#deletedRemotely(waiting) : [waiting, []]
    const ends = requests.map((one): DraftEffect<S, C, E> => finish(one, { failure }))
    return then(this.#next(now, others), ...effects, ...ends)
  }

  #afterReading(
    open: Common<S, C, E> & Reading<S, C, E>,
    { result, failure }: Extract<DraftEvent<S, C, E>, { kind: 'read' }>,
  ): Next<S, C, E> {
    const { queue, refusal, after } = open
    const stale = { ...open, problem: after.kind === 'refused' ? this.#problemOf(after.failure) : null }
    const known = refusal && open.draft.changes > 0 ? conflicted(stale, refusal) : idle(open)
    const [now, effects] = this.#withIncoming(known, result ?? open.incoming)
    if (after.kind === 'stored') return then(this.#next(now, queue, after.isSettled), ...effects)
    const { request } = after
    if (after.kind === 'refused') {
      const end = (one: SaveRequest): DraftEffect<S, C, E> => finish(one, { failure: after.failure })
      if (now.state !== 'conflicted') return then(this.#next(now, queue), ...effects, end(request))
      // The conflicts have to be resolved before anything is sent again.
      const ends = queue.flatMap(item => ('discarded' in item ? [] : [end(item)]))
      const discards = queue.filter(item => 'discarded' in item)
      const conflicts = now.conflicts.filter(({ who }) => who === '')
      const find: DraftEffect<S, C, E> = { kind: 'findAuthors', conflicts, etag: now.theirs.etag }
      const found = conflicts.length > 0 ? [find] : []
      return then(this.#next(now, discards), ...effects, ...found, end(request), ...ends)
    }
    if (!result) {
      const failed = now.state === 'conflicted' ? idle({ ...now, problem: this.#problemOf(failure) }) : now
      return then(this.#next(failed, queue), ...effects, finish(request, { failure }))
    }
    // The state that the conflicts refer to, or a newer one: its conflicts have to be shown first.
    if (now.state === 'conflicted' && now.theirs.saved)
      return then(this.#keep(now, { side: after.side, request }, queue), ...effects)
    const isNeeded = after.side === 'mine' || now.state === 'conflicted'
    if (isNeeded) return then(this.#next(now, [request, ...queue]), ...effects)
    return then(this.#next(now, queue), ...effects, finish(request, 'none'))
  }

  /** Resolves the conflicts shown: saves the user's edits on top of the server state, or applies the server state. */
  #keep(
    open: Common<S, C, E> & Conflicted<S>,
    { side, request }: Pick<Extract<DraftEvent<S, C, E>, { kind: 'keep' }>, 'side' | 'request'>,
    queue: Queue<S, C, E> = [],
  ): Next<S, C, E> {
    const { draft, theirs, reported } = open
    const { saved, etag } = theirs
    if (!saved) {
      const refusal = { theirs, reported }
      const reading = { state: 'reading' as const, refusal, incoming: null, queue }
      const after = { kind: 'keep' as const, side, request }
      return [{ ...commonOf(open), problem: null, ...reading, after }, [{ kind: 'read', after }]]
    }
    if (side === 'mine')
      return this.#next(idle(settled(open, this.#drafts.keepMine(draft, saved, etag))), [request, ...queue])
    const accepted = this.#drafts.takeTheirs(draft, { saved, etag })
    const { incoming } = draft
    const isNewer = incoming !== null && incoming.etag !== etag
    const newest = isNewer ? this.#drafts.rebased(accepted, incoming.saved, incoming.etag) : accepted
    return then(this.#next(idle(settled(open, newest)), queue), finish(request, 'none'))
  }

  #savedAsNew(
    open: OpenDraft<S, C, E>,
    { request, isSaved, failure }: Extract<DraftEvent<S, C, E>, { kind: 'savedAsNew' }>,
  ): Next<S, C, E> {
    const end: DraftEffect<S, C, E> = finish(request, isSaved ? 'none' : 'cancelled')
    if (open.state !== 'deleted') return [open, [end]]
    const problem = failure === undefined ? null : this.#problemOf(failure)
    return [{ ...open, saving: false, problem }, [end]]
  }

  #withFailure(open: OpenDraft<S, C, E>, failure: unknown, fallback: string): OpenDraft<S, C, E> {
    const failed = { ...open, problem: this.#problemOf(failure, fallback) }
    if (failed.state !== 'clean' && failed.state !== 'dirty' && failed.state !== 'conflicted') return failed
    const refusal: Refusal<S> | null = refusalOf(failure)
    return refusal ? conflicted(failed, refusal) : idle(failed)
  }

  #problemOf(failure: unknown, fallback = this.#failed) {
    return { message: messageOf(failure, fallback), retry: isAway(failure) }
  }

  #online(open: OpenDraft<S, C, E>): Next<S, C, E> {
    const next = open.problem?.retry ? { ...open, problem: null } : open
    return next.state === 'unknown' && !next.settling ? settling(next) : [next, []]
  }
}

function settling<S, C, E>(open: Common<S, C, E> & Unknown<S, C, E>): Next<S, C, E> {
  return [{ ...open, settling: true }, [{ kind: 'settle', operation: open.operation }]]
}

/** Effects of an earlier step come first. */
function then<S, C, E>([open, effects]: Next<S, C, E>, ...earlier: readonly DraftEffect<S, C, E>[]): Next<S, C, E> {
  return [open, [...earlier, ...effects]]
}

function finish<S, C, E>(request: SaveRequest, outcome: Outcome): DraftEffect<S, C, E> {
  return { kind: 'finish', request, outcome }
}

function refusalOf<S>(failure: unknown): Refusal<S> | null {
  if (!(failure instanceof ApiError) || failure.conflicts.length === 0) return null
  return { theirs: { etag: failure.etag, saved: null }, reported: failure.conflicts }
}

function gone(): ApiError {
  return new ApiError(404, { message: messages.deleted.locked, code: 'not_found' })
}

/** Adds the authors to conflicts that the page detected without the server. */
function withAuthors<S, C, E>(
  open: Common<S, C, E> & Conflicted<S>,
  { etag, authors }: Extract<DraftEvent<S, C, E>, { kind: 'authors' }>,
): OpenDraft<S, C, E> {
  if (open.theirs.etag !== etag) return open
  const reported = [...authors.map(one => ({ ...unknownChange, ...one })), ...open.reported]
  const conflicts = open.conflicts.map(one => ({ ...one, ...authors.find(isSamePlace(one)) }))
  return { ...open, reported, conflicts }
}
