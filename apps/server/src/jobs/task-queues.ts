import { limits } from '@cadmus/model/limits'
import { type Stop, OrganisationQueue } from '../store/organisation-queue.ts'
import type { Tasks } from './tasks.ts'

const queueOf = {
  entity: 'reads',
  entityStates: 'reads',
  entityContent: 'reads',
  entityVersions: 'reads',
  manifest: 'reads',
  manifestVersions: 'reads',
  manifestContent: 'reads',
  manifestPaths: 'reads',
  configuration: 'reads',
  diagram: 'reads',
  diagramRows: 'reads',
  neighbourhood: 'reads',
  buildSettings: 'reads',
  logs: 'reads',
  log: 'reads',
  validate: 'checks',
  entityContents: 'checks',
  scopeMatrix: 'checks',
  problems: 'checks',
  fixes: 'checks',
  nameConflicts: 'models',
  exportManifest: 'models',
  checkPackage: 'models',
  packageZip: 'models',
  packageBreaks: 'models',
  checkRebuild: 'models',
  previewZip: 'models',
  comparison: 'models',
  // A save waits for it, and its work is bounded.
  impact: 'reads',
  buildPackage: 'builds',
  unreferencedContents: 'background',
  sql: 'scripts',
} as const satisfies Record<keyof Tasks, string>

/**
 * Separates tasks into queues, so that short reads never wait for long exports, and no request waits for background
 * work. Within a queue no organisation can occupy all slots, except for the background queue, which has only one.
 */
export class TaskQueues {
  /** Maximum concurrent tasks, without checks, which have one thread per slot. */
  readonly maxTasks: number
  readonly checks: number
  /** Concurrent readings of scripts, which have threads of their own kind. */
  readonly scripts = 2
  readonly #queues: {
    reads: OrganisationQueue
    checks: OrganisationQueue
    models: OrganisationQueue
    builds: OrganisationQueue
    background: OrganisationQueue
    scripts: OrganisationQueue
  }

  constructor(threads: number) {
    const maxTasks = { slots: threads, slotsOfOne: threads - 1, waiting: 200, waitingOfOne: 40 }
    this.maxTasks = 2 * threads + limits.buildsAtOnce + 1
    this.checks = threads
    this.#queues = {
      reads: new OrganisationQueue(maxTasks),
      checks: new OrganisationQueue(maxTasks),
      models: new OrganisationQueue(maxTasks),
      // Matches the limit of the build queue, so builds never wait here.
      builds: new OrganisationQueue({ ...maxTasks, slots: limits.buildsAtOnce, slotsOfOne: limits.buildsAtOnce }),
      background: new OrganisationQueue({ ...maxTasks, slots: 1, slotsOfOne: 1 }),
      scripts: new OrganisationQueue({ ...maxTasks, slots: this.scripts, slotsOfOne: 1 }),
    }
  }

  async run<T>(name: keyof Tasks, organisationId: number, work: () => Promise<T>, stop?: Stop): Promise<T> {
    return this.#queues[queueOf[name]].run(organisationId, work, stop)
  }
}
