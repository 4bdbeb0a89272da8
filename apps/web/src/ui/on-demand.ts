import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { loadWithStyles } from './failed-styles.ts'

/** A component whose code is loaded on first use or by `prefetch`. */
export type OnDemand<P> = {
  Component: ComponentType<P>
  /** Rejects if the code cannot be loaded; the next call tries again. */
  prefetch: () => Promise<void>
}

type Shown<P> = { Loaded: ComponentType<P> | null; failure: Error | null }

/**
 * Renders synchronously once the code is loaded: React delays content after Suspense by a third of a second, during
 * which typed text would be lost. React.lazy also caches failures forever; this throws to the error boundary, whose
 * Retry loads again.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  coming: ReactNode = null,
): OnDemand<P> {
  let loaded: ComponentType<P> | null = null
  let fetching: Promise<ComponentType<P>> | null = null

  async function fetched(): Promise<ComponentType<P>> {
    fetching ??= loadWithStyles(load)
    try {
      loaded = await fetching
      return loaded
    } finally {
      fetching = null
    }
  }

  function Component(properties: P) {
    // Set once: replacing the component would lose its state.
    const [{ Loaded, failure }, setShown] = useState<Shown<P>>(() => ({ Loaded: loaded, failure: null }))
    useEffect(() => {
      if (Loaded) return
      let isLeft = false
      const show = (shown: Shown<P>) => isLeft || setShown(shown)
      fetched().then(
        component => show({ Loaded: component, failure: null }),
        (error: unknown) => show({ Loaded: null, failure: error instanceof Error ? error : new Error(String(error)) }),
      )
      return () => {
        isLeft = true
      }
    }, [Loaded])
    if (failure) throw failure
    return Loaded ? createElement(Loaded, properties) : coming
  }

  return {
    Component,
    prefetch: async () => {
      if (!loaded) await fetched()
    },
  }
}
