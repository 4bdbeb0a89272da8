import { newUid } from '@cadmus/model/uid'
import type { DiagramView } from '@cadmus/model/diagram/view'
import type { DiagramViewChange, DiagramViewChanged, RefusedPlacement } from '../api/diagram.ts'
import { connectionStore } from '../api/connection.ts'
import { isOutcomeUnknown } from '../api/error.ts'
import { answeredIn, canSend, openView, receivedIn, refusedIn, withSending, type ViewSession } from './view-session.ts'

export type SendChange = (view: string, change: DiagramViewChange) => Promise<DiagramViewChanged>

type Events = {
  send: SendChange
  onChange: () => void
  /** By the uid of the entity. */
  onRefused: (cards: ReadonlyMap<string, RefusedPlacement>) => void
  onFailure: (failure: unknown) => void
}

/** The views of a diagram that this page has open. Steps are sent one after the other; without a connection they wait. */
export class OpenViews {
  readonly #events: Events
  readonly #sessions = new Map<string, ViewSession>()

  constructor(events: Events) {
    this.#events = events
    connectionStore.subscribe((now, before) => {
      if (before.away && !now.away) for (const uid of this.#sessions.keys()) this.#send(uid)
    })
  }

  get(uid: string): ViewSession | undefined {
    return this.#sessions.get(uid)
  }

  /** Takes over a view as the server has it. `sends`: whether the user may change it. */
  receive(view: DiagramView, { sends }: { sends: boolean }): void {
    const session = this.#sessions.get(view.uid)
    this.set(view.uid, session ? receivedIn({ ...session, sends }, view) : openView(view, { sends }))
  }

  /** A view that was deleted. */
  drop(uid: string): void {
    this.#sessions.delete(uid)
  }

  change(uid: string, change: (session: ViewSession) => ViewSession): void {
    const session = this.#sessions.get(uid)
    if (session) this.set(uid, change(session))
  }

  /** '' is the view that is not stored. */
  set(uid: string, session: ViewSession): void {
    const isSending = canSend(session)
    this.#sessions.set(uid, isSending ? withSending(session, newUid()) : session)
    this.#events.onChange()
    if (isSending) this.#send(uid)
  }

  /** Whether steps wait for the server. */
  get isWaiting(): boolean {
    return [...this.#sessions.values()].some(session => session.sending !== null || canSend(session))
  }

  #send(uid: string): void {
    const sending = this.#sessions.get(uid)?.sending
    if (!sending) return
    this.#events.send(uid, sending).then(
      answer => this.#answered(uid, sending.operationId, answer),
      (failure: unknown) => this.#failed(uid, sending.operationId, failure),
    )
  }

  #answered(uid: string, operationId: string, answer: DiagramViewChanged): void {
    const session = this.#sessions.get(uid)
    if (session?.sending?.operationId !== operationId) return
    const { session: next, refused } = answeredIn(session, answer)
    this.set(uid, next)
    if (refused.length > 0) this.#events.onRefused(new Map(refused.map(card => [card, answer.refused[card]!])))
  }

  #failed(uid: string, operationId: string, failure: unknown): void {
    const session = this.#sessions.get(uid)
    // Sent again under the same id once the server answers: it stores an operation once.
    if (session?.sending?.operationId !== operationId || isOutcomeUnknown(failure)) return
    this.set(uid, refusedIn(session))
    this.#events.onFailure(failure)
  }
}
