import { FairQueue, type FairQueueSettings } from '@cadmus/model/fair-queue'
import { unavailable } from '../errors/api-error.ts'

export type { Stop } from '@cadmus/model/fair-queue'

/** `refusal`: what those hear who come when so many wait, or wait longer than they would. */
type TurnLimits = Omit<FairQueueSettings, 'refusal'> & { readonly refusal?: string }

const tooMany = 'Too many large requests are waiting. Try again in a moment.'

/** The work of organisations. */
export class Turns extends FairQueue<number> {
  constructor({ refusal = tooMany, ...settings }: TurnLimits) {
    super({ ...settings, refusal: () => unavailable(refusal) })
  }
}
