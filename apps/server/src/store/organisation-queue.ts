import { FairQueue, type FairQueueSettings } from '@cadmus/model/fair-queue'
import { unavailable } from '../errors/api-error.ts'

export type { Stop } from '@cadmus/model/fair-queue'

/** `refusal`: the message when the queue is full or the wait too long. */
type QueueSettings = Omit<FairQueueSettings, 'refusal'> & { readonly refusal?: string }

const defaultRefusal = 'Too many large requests are waiting. Try again in a moment.'

/** An organisation, or a user within one. */
export type QueueOwner = number | `${number} ${string}`

/** Serves large requests fairly between organisations. Requests beyond its bounds fail with 503. */
export class OrganisationQueue extends FairQueue<QueueOwner> {
  constructor({ refusal = defaultRefusal, ...settings }: QueueSettings) {
    super({ ...settings, refusal: () => unavailable(refusal) })
  }
}
