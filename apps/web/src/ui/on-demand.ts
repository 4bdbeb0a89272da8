import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react'

/** A component whose code comes when it is first needed, or earlier by `prefetch`. */
export type OnDemand<P> = {
  Component: ComponentType<P>
  /** Rejects when the code cannot be fetched; the next call tries again. */
  prefetch: () => Promise<void>
}

type Shown<P> = { Found: ComponentType<P> | null; failure: Error | null }

/**
 * Renders in the same step once its code is here: React waits a third of a second before it shows what came out of Suspense, even
 * where nothing had to be fetched, and what is typed in that time goes astray. React's lazy would also keep a failure for ever;
 * this one throws it to the boundary around it, whose Retry fetches again. `coming`: what is shown until then.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  coming: ReactNode = null,
): OnDemand<P> {
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
    const [{ Found, failure }, setShown] = useState<Shown<P>>(() => ({ Found: found, failure: null }))
    useEffect(() => {
      if (Found) return
      let isLeft = false
      const show = (shown: Shown<P>) => isLeft || setShown(shown)
      fetched().then(
        component => show({ Found: component, failure: null }),
        (error: unknown) => show({ Found: null, failure: error instanceof Error ? error : new Error(String(error)) }),
      )
      return () => {
        isLeft = true
      }
    }, [Found])
    if (failure) throw failure
    return Found ? createElement(Found, properties) : coming
  }

  return {
    Component,
    prefetch: async () => {
      if (!found) await fetched()
    },
  }
}
