import { type CommandWords, longNames } from './command-words.ts'
import { fishScript } from './fish.ts'

/** The script of each shell. */
export const SCRIPTS: Readonly<Record<string, (commands: readonly CommandWords[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

function bashScript(commands: readonly CommandWords[]): string {
  return `${scan(commands)}
_burgee() {
  local line want count options word last="" list=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    # Bash splits words at = and : as well.
    if [[ \${#list[@]} -gt 0 && ( $word =~ ^[=:]+$ || $last =~ ^[=:]+$ ) ]]; then
      list[\${#list[@]}-1]+=$word
    else
      list+=("$word")
    fi
    last=$word
  done
  local cur="\${list[\${#list[@]}-1]}" piece="\${COMP_WORDS[COMP_CWORD]}"
  [[ $piece =~ ^[=:]+$ ]] && piece=""
  _burgee_scan "\${list[@]:0:\${#list[@]}-1}"
  _burgee_want "$cur"
  [[ $cur == --*=* ]] && cur="\${cur#*=}"
  COMPREPLY=()
  case "$want" in
    words*) COMPREPLY=($(compgen -W "\${want#words* }" -- "$cur")) ;;
    file*)
      local IFS=$'\\n'
      COMPREPLY=($(compgen -f -- "$piece"))
      compopt -o filenames 2>/dev/null
      ;;
    folder*)
      local IFS=$'\\n'
      COMPREPLY=($(compgen -d -- "$piece"))
      compopt -o filenames 2>/dev/null
      ;;
  esac
}
complete -F _burgee burgee
`
}

function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef burgee
${scan(commands)}
_burgee() {
  local line want count options cur="\${words[CURRENT]}"
  _burgee_scan "\${(@)words[2,CURRENT-1]}"
  _burgee_want "$cur"
  [[ $cur == --*=* ]] && compset -P '*='
  case "$want" in
    words*) compadd -- \${=want#words* } ;;
    file*) _files ;;
    folder*) _files -/ ;;
  esac
}
if [ "$funcstack[1]" = "_burgee" ]; then
  _burgee "$@"
else
  compdef _burgee burgee
fi
`
}

/**
 * Returns the functions that bash and zsh share. They set \`line\`, the path of the command, \`count\`, its
 * arguments before the cursor, and \`want\`, the values that come next.
 */
function scan(commands: readonly CommandWords[]): string {
  const known = commands.filter(({ path }) => path !== '').map(({ path }) => JSON.stringify(path))
  return `_burgee_option() {
  want=""
  case "$line $1" in
${commands.flatMap(optionCases).join('\n')}
  esac
}
_burgee_scan() {
  line="" want="" count=0
  local word
  for word in "$@"; do
    case "$want" in
      "") ;;
      *...*)
        case "$word" in
          -*) ;;
          *) continue ;;
        esac
        ;;
      *)
        want=""
        continue
        ;;
    esac
    want=""
    case "$word" in
      --*=*) ;;
      -*) _burgee_option "$word" ;;
      *)
        case "\${line:+$line }$word" in
          ${known.join('|')}) line="\${line:+$line }$word" ;;
          *) count=$((count + 1)) ;;
        esac
        ;;
    esac
  done
}
_burgee_want() {
  case "$want" in
    ""|*...*)
      case "$1" in
        --*=*) _burgee_option "\${1%%=*}" ;;
        -*) _burgee_options ;;
        *) [ -n "$want" ] || _burgee_argument ;;
      esac
      ;;
  esac
}
_burgee_options() {
  case "$line" in
${commands.map(({ options, path }) => `    ${JSON.stringify(path)}) want="words ${longNames(options)}" ;;`).join('\n')}
  esac
}
_burgee_argument() {
  case "$line:$count" in
${commands.flatMap(argumentCases).join('\n')}
    *) _burgee_options ;;
  esac
}`
}

function optionCases({ options, path }: CommandWords): string[] {
  return options
    .filter(({ values }) => values !== '')
    .map(({ names, values }) => {
      const patterns = names.map((name) => JSON.stringify(`${path} ${name}`))
      return `    ${patterns.join('|')}) want=${JSON.stringify(values)} ;;`
    })
}

function argumentCases({ arguments: values, path, subcommands }: CommandWords): string[] {
  if (subcommands.length > 0)
    return [`    ${JSON.stringify(`${path}:0`)}) want="words ${subcommands.join(' ')}" ;;`]
  return values
    .map((value, at) => ({
      value,
      pattern: `${JSON.stringify(`${path}:`)}${value.includes('...') ? '*' : at}`,
    }))
    .filter(({ value }) => !value.startsWith('text'))
    .map(({ pattern, value }) => `    ${pattern}) want=${JSON.stringify(value)} ;;`)
}
