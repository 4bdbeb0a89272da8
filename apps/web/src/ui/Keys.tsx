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
  enter: 'Enter',
  delete: 'Del',
  escape: 'Esc',
}

/** A shortcut such as 'mod+shift+z' as keys. */
export function Keys({ shortcut }: { shortcut: string }) {
  return (
    <span className={styles['keys']}>
      {shortcut.split('+').map(key => (
        <kbd key={key} className={styles['key']}>
          {names[key] ?? (/^(.|f\d+)$/.test(key) ? key.toUpperCase() : key)}
        </kbd>
      ))}
    </span>
  )
}
