import { Seats } from '../seats.ts'

type Visit = { readonly address: string; seat: number }

/** Who is being answered: what serves them ends when they are gone. */
export class Visits {
  readonly #present = new Seats<Visit>()
  readonly #watching = new Set<() => void>()
  readonly #closed = new Map<string, Promise<void>>()

  /** Answers how to leave; once is enough, and more does no harm. */
  enter(address: string): () => void {
    const visit = { address, seat: -1 }
    this.#present.take(visit)
    return () => {
      if (this.#present.leave(visit)) for (const look of this.#watching) look()
    }
  }

  /** What whoever comes to the address has to wait for, and then ask again. */
  doorOf(address: string): Promise<void> | undefined {
    if (this.#closed.size === 0) return undefined
    return this.#closed.get(namespaceIn(address))
  }

  /** Lets nobody else in to the package of the namespace, as far as they ask at the door. Answers how to open again. */
  close(namespace: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#closed.set(namespace, promise)
    return () => {
      if (this.#closed.get(namespace) === promise) this.#closed.delete(namespace)
      resolve()
    }
  }

  /**
   * When all who are here now have left, or after `patience` milliseconds; of one package's where its namespace is given. Who comes later
   * is not waited for.
   */
  async gone(patience: number, namespace?: string): Promise<void> {
    const isMeant = ({ address }: Visit) => namespace === undefined || namespaceIn(address) === namespace
    const awaited = new Set(this.#present.all.filter(isMeant))
    if (awaited.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = () => {
      for (const visit of awaited) if (visit.seat < 0) awaited.delete(visit)
      if (awaited.size === 0) resolve()
    }
    this.#watching.add(look)
    const timer = setTimeout(resolve, patience)
    await promise
    clearTimeout(timer)
    this.#watching.delete(look)
  }
}

/** Every protocol has it behind its own name: what follows may be called as another package is. */
function namespaceIn(address: string): string {
  const [, , segment = ''] = (address.split('?')[0] ?? '').split('/')
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
