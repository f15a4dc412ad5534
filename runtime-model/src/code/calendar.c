// Dates, in universal time.
#include "library.h"

struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};
int vsnprintf(char *, size_t, const char *, va_list);
int snprintf(char *, size_t, const char *, ...);
void __verify_not_modelled(const char *);

char *tzname[2] = {"UTC", "UTC"};
long timezone;
int daylight;
static const char *const days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August", "September",
                                     "October", "November", "December"};

static long long floor_div(long long a, long long b) { return a / b - (a % b < 0); }

// Days from the first of January 1970 to the first day of a month that is counted from the January of that year.
static long long days_before(long long year, long long month) {
  static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  year += floor_div(month, 12);
  month -= 12 * floor_div(month, 12);
  long long y = year - (month < 2); // the leap days before this month
  long long leap = floor_div(y, 4) - floor_div(y, 100) + floor_div(y, 400);
  return 365 * (year - 1970) + before[month] + leap - 477;
}

static struct tm *split(long long time, struct tm *to) {
  long long day = floor_div(time, 86400), second = time - 86400 * day;
  long long year = 1970 + floor_div(day, day < 0 ? 365 : 366);
  while (days_before(year + 1, 0) <= day)
    year++;
  int month = 0;
  while (month < 11 && days_before(year, month + 1) <= day)
    month++;
  *to = (struct tm){
      .tm_sec = (int)(second % 60), .tm_min = (int)(second / 60 % 60), .tm_hour = (int)(second / 3600),
      .tm_mday = (int)(day - days_before(year, month)) + 1, .tm_mon = month, .tm_year = (int)(year - 1900),
      .tm_wday = (int)(day + 4 - 7 * floor_div(day + 4, 7)), .tm_yday = (int)(day - days_before(year, 0)), .tm_zone = "UTC"};
  return to;
}

static struct tm shared;
struct tm *gmtime_r(const long *time, struct tm *to) {
  split(*time, to);
  to->tm_zone = "GMT";
  return to;
}
struct tm *localtime_r(const long *time, struct tm *to) { return split(*time, to); }
struct tm *gmtime(const long *time) { return gmtime_r(time, &shared); }
struct tm *localtime(const long *time) { return localtime_r(time, &shared); }
void tzset(void) {}

static long time_of(struct tm *from, int ahead, const char *zone) {
  long long day = days_before(1900ll + from->tm_year, from->tm_mon) + from->tm_mday - 1;
  long long time = ((day * 24 + from->tm_hour) * 60 + from->tm_min) * 60 + from->tm_sec - ahead;
  if ((long)time != time) {
    errno = EOVERFLOW;
    return -1;
  }
  split(time, from);
  from->tm_zone = zone;
  return (long)time;
}
long timegm(struct tm *from) { return time_of(from, 0, "GMT"); }
// There is no summer time: glibc takes the hour off that a caller says is in the time.
long mktime(struct tm *from) { return time_of(from, from->tm_isdst > 0 ? 3600 : 0, "UTC"); }

// What does not fit is cut off, and an error.
static char *text_of(const struct tm *time, char *to, size_t room) {
  if (time->tm_year <= 0x7fffffff - 1900) {
    int length = snprintf(
        to, room, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", time->tm_wday < 0 || time->tm_wday > 6 ? "???" : days[time->tm_wday],
        time->tm_mon < 0 || time->tm_mon > 11 ? "???" : months[time->tm_mon], time->tm_mday, time->tm_hour, time->tm_min,
        time->tm_sec, 1900 + time->tm_year);
    if (length >= 0 && (size_t)length < room)
      return to;
  }
  errno = EOVERFLOW;
  return NULL;
}
char *asctime_r(const struct tm *time, char *to) { return text_of(time, to, 26); }
static char text[114];
char *asctime(const struct tm *time) { return text_of(time, text, sizeof text); }
char *ctime_r(const long *time, char *to) {
  struct tm split_time;
  return asctime_r(localtime_r(time, &split_time), to);
}
char *ctime(const long *time) { return asctime(localtime(time)); }

// Where the text goes, and how much of it there is.
typedef struct {
  char *to;
  size_t room, length;
} Output;

static void put(Output *output, const char *format, ...) {
  va_list values;
  va_start(values, format);
  size_t left = output->length < output->room ? output->room - output->length : 0;
  output->length += (size_t)vsnprintf(left ? output->to + output->length : NULL, left, format, values);
  va_end(values);
}

// The week of the year, and the year that it belongs to, by ISO 8601.
static int iso_week(const struct tm *time, int *year) {
  int day = (time->tm_wday + 6) % 7, week = (time->tm_yday - day + 10) / 7;
  *year = 1900 + time->tm_year;
  int leap = days_before(*year + 1, 0) - days_before(*year, 0) == 366;
  if (week < 1) {
    --*year;
    int length = (int)(days_before(*year + 1, 0) - days_before(*year, 0));
    week = (time->tm_yday + length - day + 10) / 7;
  } else if (week == 53 && time->tm_yday - day + 3 >= 365 + leap) {
    ++*year;
    week = 1;
  }
  return week;
}

static int two_digits(int year) { return (year % 100 + 100) % 100; }

static void format_into(Output *output, const char *format, const struct tm *time) {
  int hour = time->tm_hour % 12 ? time->tm_hour % 12 : 12, year = 1900 + time->tm_year, other;
  for (; *format; format++) {
    if (*format != '%') {
      put(output, "%c", *format);
      continue;
    }
    do
      format++;
    while (*format == 'E' || *format == 'O');
    switch (*format) {
    case 'a': put(output, "%.3s", days[time->tm_wday]); break;
    case 'A': put(output, "%s", days[time->tm_wday]); break;
    case 'b': case 'h': put(output, "%.3s", months[time->tm_mon]); break;
    case 'B': put(output, "%s", months[time->tm_mon]); break;
    case 'c': format_into(output, "%a %b %e %H:%M:%S %Y", time); break;
    case 'C': put(output, "%d", (int)floor_div(year, 100)); break;
    case 'd': put(output, "%02d", time->tm_mday); break;
    case 'D': case 'x': format_into(output, "%m/%d/%y", time); break;
    case 'e': put(output, "%2d", time->tm_mday); break;
    case 'F': put(output, "%d-%02d-%02d", year, time->tm_mon + 1, time->tm_mday); break;
    case 'g': iso_week(time, &other), put(output, "%02d", two_digits(other)); break;
    case 'G': iso_week(time, &other), put(output, "%d", other); break;
    case 'H': put(output, "%02d", time->tm_hour); break;
    case 'I': put(output, "%02d", hour); break;
    case 'j': put(output, "%03d", time->tm_yday + 1); break;
    case 'm': put(output, "%02d", time->tm_mon + 1); break;
    case 'M': put(output, "%02d", time->tm_min); break;
    case 'n': put(output, "\n"); break;
    case 'p': put(output, time->tm_hour < 12 ? "AM" : "PM"); break;
    case 'P': put(output, time->tm_hour < 12 ? "am" : "pm"); break;
    case 'r': format_into(output, "%I:%M:%S %p", time); break;
    case 'R': format_into(output, "%H:%M", time); break;
    case 's': { struct tm copy = *time; put(output, "%ld", mktime(&copy)); break; }
    case 'S': put(output, "%02d", time->tm_sec); break;
    case 't': put(output, "\t"); break;
    case 'T': case 'X': format_into(output, "%H:%M:%S", time); break;
    case 'u': put(output, "%d", time->tm_wday ? time->tm_wday : 7); break;
    case 'U': put(output, "%02d", (time->tm_yday + 7 - time->tm_wday) / 7); break;
    case 'V': put(output, "%02d", iso_week(time, &other)); break;
    case 'w': put(output, "%d", time->tm_wday); break;
    case 'W': put(output, "%02d", (time->tm_yday + 7 - (time->tm_wday + 6) % 7) / 7); break;
    case 'y': put(output, "%02d", two_digits(time->tm_year)); break;
    case 'Y': put(output, "%d", year); break;
    case 'z': put(output, "+0000"); break;
    case 'Z': put(output, "%s", time->tm_zone ? time->tm_zone : ""); break;
    case '%': put(output, "%%"); break;
    default: __verify_not_modelled("a directive in the format of strftime");
    }
  }
}

size_t strftime(char *to, size_t room, const char *format, const struct tm *time) {
  Output output = {to, room, 0};
  format_into(&output, format, time);
  if (room && output.length == 0)
    *to = 0;
  return output.length < room ? output.length : 0;
}
