import { Piscina } from 'piscina'

export type PoolOptions = NonNullable<ConstructorParameters<typeof Piscina>[0]>

/**
 * Creates a pool with an error listener. A thread may fail without a waiting task, for example out of memory right
 * after its task was cancelled; without a listener that would end the process. The next task gets another thread.
 */
export function newPool(options: PoolOptions, onLost: (error: unknown) => void): Piscina {
  return new Piscina(options).on('error', onLost)
}
