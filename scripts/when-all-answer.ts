const PAUSE = 100

/** Waits until every address is up; returns false if `isOver` is true before. */
export async function whenAllAnswer(urls: readonly string[], isOver: () => boolean): Promise<boolean> {
  for (const url of urls) {
    while (!(await isUp(url))) {
      if (isOver()) return false
      await new Promise(resolve => setTimeout(resolve, PAUSE).unref())
    }
  }
  return true
}

/**
 * The first local address already in use, as a second server would end and its users would reach the first one. Public
 * addresses are skipped, as several servers may share one.
 */
export async function occupiedUrl(urls: readonly string[]): Promise<string | undefined> {
  for (const url of urls) if (new URL(url).hostname === 'localhost' && (await isUp(url))) return url
  return undefined
}

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}
