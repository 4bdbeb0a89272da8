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

/**
 * Shared by pages with documents: keyboard shortcuts (of all commands, or those that `isAvailable` selects), focus guard
 * and idle prefetching.
 */
export function usePage(context: AppContext, isAvailable: (command: Command<AppContext>) => boolean = all): void {
  const commands = useMemo(() => allCommands().filter(isAvailable), [isAvailable])
  useCommands(commands, context)
  useEffect(() => listenForKeys(window), [])
  useEffect(guardFocus, [])
  useEffect(prefetchWhenIdle, [])
}

/** Loads code likely to be needed, one file at a time: running it blocks input. */
function prefetchWhenIdle() {
  let isLeft = false
  const timer = setTimeout(async () => {
    for (const prefetch of [prefetchDrag, prefetchMenus, prefetchQuestions, prefetchDocuments, prefetchDialogs]) {
      await atRest()
      if (isLeft) return
      // A failure is reported when the code is needed.
      await prefetch().catch(() => undefined)
    }
  }, 1500)
  return () => {
    isLeft = true
    clearTimeout(timer)
  }
}
