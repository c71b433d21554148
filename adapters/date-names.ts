/**
 * Names in dates, accents removed, lower-case. English in every length, then the languages whose
 * publishing systems are known to localise feed dates.
 */
const MONTH_NAMES: string[][] = [
  "jan january janvier janv januar jaenner janner enero ene janeiro gennaio gen januari styczen stycznia sty ianuarie leden ledna янв январь января ocak oca tammikuuta",
  "feb february fevrier fevr fev februar febrero febbraio februari fevereiro luty lutego lut februarie unor unora фев февраль февраля subat sub helmikuuta",
  "mar march mars marz maerz mrz marzo marco maart mrt marzec marca martie brezen brezna мар март марта mart maaliskuuta",
  "apr april avril avr abril abr aprile kwiecien kwietnia kwi aprilie duben dubna апр апрель апреля nisan nis huhtikuuta",
  "may mai mayo maio mag maggio mei maj maja kveten kvetna май мая mayis toukokuuta",
  "jun june juin juni junio junho giugno giu czerwiec czerwca cze iunie cerven cervna июн июнь июня haziran haz kesakuuta",
  "jul july juillet juil juli julio julho luglio lug lipiec lipca lip iulie cervenec cervence июл июль июля temmuz tem heinakuuta",
  "aug august aout agosto ago augustus augusti sierpien sierpnia sie srpen srpna авг август августа agustos elokuuta",
  "sep sept september septembre septiembre setembro set settembre wrzesien wrzesnia wrz septembrie zari сен сент сентябрь сентября eylul eyl syyskuuta",
  "oct october octobre okt oktober octubre outubro out ottobre ott pazdziernik pazdziernika paz octombrie rijen rijna окт октябрь октября ekim eki lokakuuta",
  "nov november novembre noviembre novembro listopad listopada lis noiembrie ноя ноябрь ноября kasim kas marraskuuta",
  "dec december decembre dez dezember diciembre dic dezembro dicembre desember des grudzien grudnia gru decembrie prosinec prosince дек декабрь декабря aralik ara joulukuuta",
].map((names) => names.split(" "));

/** Folded month name → 1–12. */
export const MONTHS: Record<string, number> = Object.fromEntries(
  MONTH_NAMES.flatMap((names, i) => names.map((name) => [name, i + 1])),
);

/** Weekday names, which are skipped. */
export const WEEKDAYS = new Set(
  (
    "mon monday tue tues tuesday wed weds wednesday thu thur thurs thursday fri friday sat saturday sun sunday " +
    "lun lundi mardi mer mercredi jeu jeudi ven vendredi sam samedi dim dimanche " +
    "mo montag di dienstag mi mittwoch do donnerstag fr freitag sa samstag sonnabend so sonntag " +
    "lunes martes mie miercoles jue jueves vie viernes sab sabado dom domingo " +
    "lunedi martedi mercoledi giovedi venerdi sabato domenica gio " +
    "seg segunda ter terca qua quarta qui quinta sex sexta " +
    "ma maandag dinsdag wo woe woensdag donderdag vr vrijdag za zaterdag zo zondag din don vri zat zon " +
    "man mandag tir tirsdag tis tisdag ons onsdag tor torsdag torsdag fre fredag lor lordag lordag son sondag " +
    "pon poniedzialek wt wtorek sr sroda czw czwartek pt piatek sob sobota nie niedz niedziela " +
    "пн вт ср чт пт сб вс понедельник вторник среда четверг пятница суббота воскресенье"
  ).split(" "),
);

/** Zone names → minutes east of UTC. Ambiguous ones mean what RFC 822 or common use says. */
export const ZONES: Record<string, number> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 60,
  bst: 60,
  cet: 60,
  met: 60,
  mez: 60,
  cest: 120,
  mest: 120,
  mesz: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  msd: 240,
  sast: 120,
  ist: 330,
  sgt: 480,
  hkt: 480,
  awst: 480,
  jst: 540,
  kst: 540,
  acst: 570,
  acdt: 630,
  aest: 600,
  aedt: 660,
  nzst: 720,
  nzdt: 780,
  brt: -180,
  art: -180,
  nst: -210,
  ndt: -150,
  ast: -240,
  adt: -180,
  at: -240,
  est: -300,
  edt: -240,
  et: -300,
  cst: -360,
  cdt: -300,
  ct: -360,
  mst: -420,
  mdt: -360,
  mt: -420,
  pst: -480,
  pdt: -420,
  pt: -480,
  akst: -540,
  akdt: -480,
  hst: -600,
  // RFC 822's military letters were published with their signs reversed; RFC 2822 says to read
  // them as "-0000".
  a: 0,
  m: 0,
  n: 0,
  y: 0,
};
