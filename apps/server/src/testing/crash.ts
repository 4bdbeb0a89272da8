import { createEntity, getEntity, listEntityLogs, updateEntity } from '@cadmus/model/contract/entity'
import { setTimeout as wait } from 'node:timers/promises'
import { Browser } from './browser.ts'
import { ConsoleClient, RejectedCall } from './client.ts'
import { bootstrapToken } from './console.ts'

/** An acknowledged save: the entity and its description at that time. `step` counts the entity's saves. */
export type Acknowledged = { id: number; step: number; value: string }

/** The state read after a restart: every entity's description, and every description in the log, as `id value`. */
export type ReadBack = { values: Map<number, string>; logged: Set<string> }

const pause = 25

/** An API client that retries rate-limited calls. */
export class Script {
  readonly #client: ConsoleClient

  constructor(url: string) {
    this.#client = new ConsoleClient(new Browser(url), 'bootstrap', 'ACME', {
      authorization: `Bearer ${bootstrapToken}`,
    })
  }

  async create(name: string, value: string): Promise<number> {
    const body = { entity: { name, description: value } }
    return (await retryRateLimited(() => this.#client.call(createEntity, { body }))).entity.id
  }

  /** Checks only the status, so a fake server need not return a complete entity. */
  async save(id: number, name: string, value: string): Promise<void> {
    const typeAttributes = [{ name: 'id', dataType: 'integer', purpose: 'identifiedBy' } as const]
    const body = { entity: { name, description: value, typeAttributes } }
    await retryRateLimited(async () => {
      const response = await this.#client.send(updateEntity, { params: { id }, body, ifMatch: '*' })
      const text = await response.text()
      if (!response.ok) throw new RejectedCall(response.status, JSON.parse(text), response.headers)
    })
  }

  /** Reads the descriptions of these entities and of the newest log entries. */
  async read(ids: Iterable<number>, newest: number): Promise<ReadBack> {
    const values = new Map<number, string>()
    for (const id of new Set(ids)) {
      const result = await retryRateLimited(() => this.#client.call(getEntity, { params: { id } })).catch(
        ignoreNotFound,
      )
      if (result) values.set(id, result.entity.description)
    }
    return { values, logged: await this.#logged(newest) }
  }

  async #logged(newest: number): Promise<Set<string>> {
    const logged = new Set<string>()
    for (let offset = 0; offset < newest; offset += 1000) {
      const query = { offset, limit: Math.min(1000, newest - offset) }
      const { entityLogs } = await retryRateLimited(() => this.#client.call(listEntityLogs, { query }))
      for (const { UPDATED_CONTENT, ENTITY_NAME } of entityLogs) {
        const content: unknown = JSON.parse(UPDATED_CONTENT ?? 'null')
        if (typeof content === 'object' && content !== null && 'description' in content)
          logged.add(`${ENTITY_NAME} ${String(content.description)}`)
      }
      if (entityLogs.length < query.limit) break
    }
    return logged
  }
}

/** Creates an entity and saves it repeatedly until the server is killed. Every acknowledgement is added to `done`. */
export async function writeUntilKilled(url: string, name: string, done: Acknowledged[]): Promise<void> {
  const script = new Script(url)
  try {
    const id = await script.create(name, valueOf(name, 0))
    done.push({ id, step: 0, value: valueOf(name, 0) })
    for (let step = 1; ; step++) {
      await script.save(id, name, valueOf(name, step))
      done.push({ id, step, value: valueOf(name, step) })
    }
  } catch (error) {
    // A killed server refuses or breaks connections; an error answer is a defect.
    if (error instanceof RejectedCall) throw error
  }
}

/**
 * Returns lost acknowledged saves: missing entities, values older than the last acknowledged one, and saves missing
 * from the log. A save in progress at the kill may be stored or not.
 */
export function lostSaves(done: readonly Acknowledged[], { values, logged }: ReadBack): string[] {
  const last = new Map<number, Acknowledged>()
  for (const save of done) if ((last.get(save.id)?.step ?? -1) < save.step) last.set(save.id, save)
  const stale = [...last.values()].flatMap(({ id, step, value }) => {
    const result = values.get(id)
    if (result === undefined) return [`entity ${id} is missing`]
    const isThere = result === value || result === valueOf(nameIn(value), step + 1)
    return isThere ? [] : [`entity ${id} has "${result}" instead of "${value}"`]
  })
  const unlogged = done.flatMap(({ value }) =>
    logged.has(`${nameIn(value)} ${value}`) ? [] : [`the log does not tell of "${value}"`],
  )
  return [...stale, ...unlogged]
}

function valueOf(name: string, step: number): string {
  return `${name} step ${step}`
}

function nameIn(value: string): string {
  return value.slice(0, value.indexOf(' '))
}

async function retryRateLimited<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof RejectedCall) || error.status !== 429) throw error
      await wait(pause)
    }
  }
}

function ignoreNotFound(error: unknown): undefined {
  if (error instanceof RejectedCall && error.status === 404) return undefined
  throw error
}
