import { useEffect, useMemo } from 'react'
import type { Command } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import { allCommands } from '../../commands/registry.ts'
import { listenForKeys, useCommands } from '../../commands/scope.ts'
import { atRest } from '../../ui/at-rest.ts'
import { prefetchDrag } from '../../ui/lazy-drag.ts'
import { prefetchMenus } from '../../ui/lazy-menu.ts'
import { prefetchDialogs } from '../../workbench/dialogs.ts'
import { prefetchDocuments } from '../../workbench/document-kinds.ts'
import { prefetchQuestions } from './DialogHost.tsx'
import { guardFocus } from './focus-guard.ts'

const all = () => true

/** What every page with documents has: the keys of all commands (or those that `isMeant`), a focus that is never lost, code fetched before it is needed. */
export function usePage(context: AppContext, isMeant: (command: Command<AppContext>) => boolean = all): void {
  const commands = useMemo(() => allCommands().filter(isMeant), [isMeant])
  useCommands(commands, context)
  useEffect(() => listenForKeys(window), [])
  useEffect(guardFocus, [])
  useEffect(prefetchWhenIdle, [])
}

/** Once the page is at rest: what will be opened next is there at once. Each file alone, because running it holds up a press. */
function prefetchWhenIdle() {
  let isLeft = false
  const timer = setTimeout(async () => {
    for (const prefetch of [prefetchDrag, prefetchMenus, prefetchQuestions, prefetchDocuments, prefetchDialogs]) {
      await atRest()
      if (isLeft) return
      // What cannot be fetched now is fetched when it is needed, and says so then.
      await prefetch().catch(() => undefined)
    }
  }, 1500)
  return () => {
    isLeft = true
    clearTimeout(timer)
  }
}
