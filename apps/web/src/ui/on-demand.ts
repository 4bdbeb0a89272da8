import { createElement, lazy, useState, type ComponentType } from 'react'

/** A component whose code comes when it is first needed, or earlier by `prefetch`. */
export type OnDemand<P> = {
  Component: ComponentType<P>
  /** Rejects when the code cannot be fetched; the next call tries again. */
  prefetch: () => Promise<void>
}

/**
 * Renders in the same step once its code is here: React waits a third of a second before it shows what came out of Suspense,
 * even where nothing had to be fetched, and what is typed in that time goes astray.
 */
export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>): OnDemand<P> {
  let found: ComponentType<P> | null = null
  let fetching: Promise<ComponentType<P>> | null = null

  async function fetched(): Promise<ComponentType<P>> {
    fetching ??= load()
    try {
      found = await fetching
      return found
    } finally {
      fetching = null
    }
  }

  function Component(properties: P) {
    // Chosen once: another component in its place would forget what was typed into this one.
    const [shown] = useState(() => ({ Shown: found ?? lazy(async () => ({ default: await fetched() })) }))
    return createElement(shown.Shown, properties)
  }

  return {
    Component,
    prefetch: async () => {
      if (!found) await fetched()
    },
  }
}
