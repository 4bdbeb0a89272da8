import styles from './Keys.module.css'

const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)
const names: Record<string, string> = {
  mod: mac ? '⌘' : 'Ctrl',
  alt: mac ? '⌥' : 'Alt',
  shift: mac ? '⇧' : 'Shift',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageup: 'Page Up',
  pagedown: 'Page Down',
  insert: 'Ins',
  delete: 'Del',
  escape: 'Esc',
}

function nameOf(key: string): string {
  return names[key] ?? `${key.charAt(0).toUpperCase()}${key.slice(1)}`
}

/** A shortcut such as 'mod+shift+z' as key symbols. */
export function Keys({ shortcut }: { shortcut: string }) {
  return (
    <span className={styles['keys']}>
      {shortcut.split('+').map(key => (
        <kbd key={key} className={styles['key']}>
          {nameOf(key)}
        </kbd>
      ))}
    </span>
  )
}
