import { limits } from '@cadmus/model/limits'
import { type Stop, Turns } from '../store/turns.ts'
import type { Tasks } from './tasks.ts'

const laneOf = {
  entity: 'reads',
  entityContent: 'reads',
  entityVersions: 'reads',
  manifest: 'reads',
  manifestVersions: 'reads',
  manifestContent: 'reads',
  manifestPaths: 'reads',
  configuration: 'reads',
  buildSettings: 'reads',
  logs: 'reads',
  log: 'reads',
  validate: 'checks',
  namesakes: 'models',
  exportScript: 'models',
  exportCdm: 'models',
  previewCdm: 'models',
  previewScript: 'models',
  exportDataModel: 'models',
  previewDataModel: 'models',
  checkPackage: 'models',
  packageZip: 'models',
  packageBreaks: 'models',
  buildPackage: 'builds',
  orphanContents: 'background',
} as const satisfies Record<keyof Tasks, string>

/**
 * Separates tasks into queues, so that short reads never wait for long exports, and no request waits for background
 * work. Within a queue no organisation can occupy all slots, except for the background queue, which has only one.
 */
export class Lanes {
  /** Maximum concurrent tasks, without checks, which have one thread per slot. */
  readonly most: number
  readonly checks: number
  readonly #turns: { reads: Turns; checks: Turns; models: Turns; builds: Turns; background: Turns }

  constructor(threads: number) {
    const most = { slots: threads, slotsOfOne: threads - 1, waiting: 200, waitingOfOne: 40 }
    this.most = 2 * threads + limits.buildsAtOnce + 1
    this.checks = threads
    this.#turns = {
      reads: new Turns(most),
      checks: new Turns(most),
      models: new Turns(most),
      // Matches the limit of the build queue, so builds never wait here.
      builds: new Turns({ ...most, slots: limits.buildsAtOnce, slotsOfOne: limits.buildsAtOnce }),
      background: new Turns({ ...most, slots: 1, slotsOfOne: 1 }),
    }
  }

  async run<T>(name: keyof Tasks, organisationId: number, work: () => Promise<T>, stop?: Stop): Promise<T> {
    return this.#turns[laneOf[name]].run(organisationId, work, stop)
  }
}
