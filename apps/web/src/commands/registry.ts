import type { AppContext } from './context.ts'
import type { Command } from './command.ts'

/**
 * Where a command is offered. 'tree' is the context menu of the Project Navigator, 'library' that of the CDM Library view,
 * 'admin' that of the administration's tree, 'row' its keys that no menu shows, 'new' the New menu, 'toolbar' the icons of the top bar, 'package' the context menu of a package, 'card' the buttons on it, 'theme' its theme menu, 'profile' the menu of who is signed in, 'palette' Ctrl+K. The key works wherever it is registered.
 */
export type Place =
  | 'tree'
  | 'row'
  | 'library'
  | 'admin'
  | 'package'
  | 'card'
  | 'new'
  | 'toolbar'
  | 'theme'
  | 'profile'
  | 'palette'

export type Registered = { command: Command<AppContext>; places: readonly Place[]; order: number }

const registered = new Map<string, Registered>()

/** Makes a command known, once, at the start of the page. `order`: lower stands first. */
export function registerCommand(command: Command<AppContext>, places: readonly Place[], order: number): void {
  registered.set(command.id, { command, places, order })
}

/** What stands at a place, in its order; visibility is the renderer's to ask. */
export function commandsAt(place: Place): readonly Command<AppContext>[] {
  return inOrder(entry => entry.places.includes(place))
}

export function allCommands(): readonly Command<AppContext>[] {
  return inOrder(() => true)
}

/** The command of an id; undefined where no feature registered it. */
export function commandById(id: string): Command<AppContext> | undefined {
  return registered.get(id)?.command
}

/** Ids are plain words: rules of a language would have to be loaded to compare them, before anything is shown. */
function inOrder(wanted: (entry: Registered) => boolean): readonly Command<AppContext>[] {
  return [...registered.values()]
    .filter(wanted)
    .toSorted((one, other) => one.order - other.order || (one.command.id < other.command.id ? -1 : 1))
    .map(entry => entry.command)
}
