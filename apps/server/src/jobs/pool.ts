import { Piscina } from 'piscina'

export type PoolOptions = NonNullable<ConstructorParameters<typeof Piscina>[0]>

/**
 * A pool of threads of which one may end with an error when nobody waits for it: out of memory just after its task was given up, say.
 * The pool says that as an event, which would end the process if nobody listened; the next task gets another thread.
 */
export function newPool(options: PoolOptions, onLost: (error: unknown) => void): Piscina {
  return new Piscina(options).on('error', onLost)
}
