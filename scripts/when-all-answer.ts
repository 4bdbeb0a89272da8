const PAUSE = 100

/** Waits until every address says that it is up; false where `isOver` comes first. */
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
 * The first of the addresses where somebody answers before anything was started: what is started would end, and who asks there would be
 * told of the other one. Public addresses are left out, which several may share.
 */
export async function takenAlready(urls: readonly string[]): Promise<string | undefined> {
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
