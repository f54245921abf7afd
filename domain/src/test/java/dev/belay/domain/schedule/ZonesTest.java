package dev.belay.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The instants around changes of the clocks. New York, Zurich, Lord Howe (half an hour), Kolkata
 * (no changes), Santiago and Auckland (southern), Asuncion, Beirut, Cairo and São Paulo (midnight
 * does not exist), Moscow, São Paulo and Pyongyang (changed their rules), Apia (left out a day) and
 * UTC. All years are past, so that new zone data does not change them.
 */
class ZonesTest {

  @ParameterizedTest(name = "{0}: {1} from {2}, gap {4}, repeat {5}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          America/New_York    | 30 1,2 * * *    | 2025-03-09T05:00:00Z | 2025-03-10T05:00:00Z | shift | any   | 2025-03-09T06:30:00Z 2025-03-09T07:30:00Z
          America/New_York    | 30 1,2 * * *    | 2025-03-09T05:00:00Z | 2025-03-10T05:00:00Z | skip  | any   | 2025-03-09T06:30:00Z
          America/New_York    | 30 1,2 * * *    | 2025-11-02T04:00:00Z | 2025-11-03T06:00:00Z | any   | first | 2025-11-02T05:30:00Z 2025-11-02T07:30:00Z
          America/New_York    | 30 1,2 * * *    | 2025-11-02T04:00:00Z | 2025-11-03T06:00:00Z | any   | last  | 2025-11-02T06:30:00Z 2025-11-02T07:30:00Z
          America/New_York    | 30 1,2 * * *    | 2025-11-02T04:00:00Z | 2025-11-03T06:00:00Z | any   | both  | 2025-11-02T05:30:00Z 2025-11-02T06:30:00Z 2025-11-02T07:30:00Z
          America/New_York    | 15 1/2 * * *    | 2025-03-09T05:00:00Z | 2025-03-09T11:00:00Z | any   | any   | 2025-03-09T06:15:00Z 2025-03-09T07:15:00Z 2025-03-09T09:15:00Z
          America/New_York    | 15 1/2 * * *    | 2025-11-02T04:00:00Z | 2025-11-02T11:00:00Z | any   | any   | 2025-11-02T05:15:00Z 2025-11-02T06:15:00Z 2025-11-02T08:15:00Z 2025-11-02T10:15:00Z
          Europe/Zurich       | 30 1,2 * * *    | 2025-03-29T23:00:00Z | 2025-03-31T00:00:00Z | shift | any   | 2025-03-30T00:30:00Z 2025-03-30T01:30:00Z 2025-03-30T23:30:00Z
          Europe/Zurich       | 30 1,2 * * *    | 2025-03-29T23:00:00Z | 2025-03-31T00:00:00Z | skip  | any   | 2025-03-30T00:30:00Z 2025-03-30T23:30:00Z
          Europe/Zurich       | 30 1,2 * * *    | 2025-10-25T22:00:00Z | 2025-10-27T01:00:00Z | any   | first | 2025-10-25T23:30:00Z 2025-10-26T00:30:00Z 2025-10-27T00:30:00Z
          Europe/Zurich       | 30 1,2 * * *    | 2025-10-25T22:00:00Z | 2025-10-27T01:00:00Z | any   | last  | 2025-10-25T23:30:00Z 2025-10-26T01:30:00Z 2025-10-27T00:30:00Z
          Europe/Zurich       | 30 1,2 * * *    | 2025-10-25T22:00:00Z | 2025-10-27T01:00:00Z | any   | both  | 2025-10-25T23:30:00Z 2025-10-26T00:30:00Z 2025-10-26T01:30:00Z 2025-10-27T00:30:00Z
          Europe/Zurich       | 0,45 2-3 * * *  | 2025-03-29T23:00:00Z | 2025-03-31T00:00:00Z | shift | any   | 2025-03-30T01:00:00Z 2025-03-30T01:45:00Z
          Europe/Zurich       | 0,45 2-3 * * *  | 2025-03-29T23:00:00Z | 2025-03-31T00:00:00Z | skip  | any   | 2025-03-30T01:00:00Z 2025-03-30T01:45:00Z
          Europe/Zurich       | 30 * * * *      | 2025-03-30T00:00:00Z | 2025-03-30T03:00:00Z | any   | any   | 2025-03-30T00:30:00Z 2025-03-30T01:30:00Z 2025-03-30T02:30:00Z
          Europe/Zurich       | 30 * * * *      | 2025-10-25T23:00:00Z | 2025-10-26T03:00:00Z | any   | any   | 2025-10-25T23:30:00Z 2025-10-26T00:30:00Z 2025-10-26T01:30:00Z 2025-10-26T02:30:00Z
          Australia/Lord_Howe | 15 2 * * *      | 2025-10-04T13:00:00Z | 2025-10-05T13:00:00Z | shift | any   | 2025-10-04T15:45:00Z
          Australia/Lord_Howe | 15 2 * * *      | 2025-10-04T13:00:00Z | 2025-10-05T13:00:00Z | skip  | any   | none
          Australia/Lord_Howe | 15,45 1,2 * * * | 2025-10-04T13:00:00Z | 2025-10-05T13:00:00Z | shift | any   | 2025-10-04T14:45:00Z 2025-10-04T15:15:00Z 2025-10-04T15:45:00Z
          Australia/Lord_Howe | 15,45 1,2 * * * | 2025-10-04T13:00:00Z | 2025-10-05T13:00:00Z | skip  | any   | 2025-10-04T14:45:00Z 2025-10-04T15:15:00Z 2025-10-04T15:45:00Z
          Australia/Lord_Howe | 15,45 1,2 * * * | 2025-04-05T12:00:00Z | 2025-04-06T12:00:00Z | any   | first | 2025-04-05T14:15:00Z 2025-04-05T14:45:00Z 2025-04-05T15:45:00Z 2025-04-05T16:15:00Z
          Australia/Lord_Howe | 15,45 1,2 * * * | 2025-04-05T12:00:00Z | 2025-04-06T12:00:00Z | any   | last  | 2025-04-05T14:15:00Z 2025-04-05T15:15:00Z 2025-04-05T15:45:00Z 2025-04-05T16:15:00Z
          Australia/Lord_Howe | 15,45 1,2 * * * | 2025-04-05T12:00:00Z | 2025-04-06T12:00:00Z | any   | both  | 2025-04-05T14:15:00Z 2025-04-05T14:45:00Z 2025-04-05T15:15:00Z 2025-04-05T15:45:00Z 2025-04-05T16:15:00Z
          Australia/Lord_Howe | */15 1/1 * * *  | 2025-10-04T15:00:00Z | 2025-10-04T16:00:00Z | any   | any   | 2025-10-04T15:00:00Z 2025-10-04T15:15:00Z 2025-10-04T15:30:00Z 2025-10-04T15:45:00Z
          Australia/Lord_Howe | */15 * * * *    | 2025-04-05T14:15:00Z | 2025-04-05T15:45:00Z | any   | any   | 2025-04-05T14:15:00Z 2025-04-05T14:30:00Z 2025-04-05T14:45:00Z 2025-04-05T15:00:00Z 2025-04-05T15:15:00Z 2025-04-05T15:30:00Z
          Asia/Kolkata        | 30 2 * * *      | 2025-03-29T00:00:00Z | 2025-03-31T00:00:00Z | shift | any   | 2025-03-29T21:00:00Z 2025-03-30T21:00:00Z
          Asia/Kolkata        | 30 2 * * *      | 2025-03-29T00:00:00Z | 2025-03-31T00:00:00Z | skip  | any   | 2025-03-29T21:00:00Z 2025-03-30T21:00:00Z
          Asia/Kolkata        | 30 2 * * *      | 2025-10-25T00:00:00Z | 2025-10-27T00:00:00Z | any   | first | 2025-10-25T21:00:00Z 2025-10-26T21:00:00Z
          Asia/Kolkata        | 30 2 * * *      | 2025-10-25T00:00:00Z | 2025-10-27T00:00:00Z | any   | last  | 2025-10-25T21:00:00Z 2025-10-26T21:00:00Z
          Asia/Kolkata        | 30 2 * * *      | 2025-10-25T00:00:00Z | 2025-10-27T00:00:00Z | any   | both  | 2025-10-25T21:00:00Z 2025-10-26T21:00:00Z
          Asia/Kolkata        | 0 */12 * * *    | 2025-03-29T00:00:00Z | 2025-03-30T00:00:00Z | any   | any   | 2025-03-29T06:30:00Z 2025-03-29T18:30:00Z
          America/Santiago    | 30 0,23 * * *   | 2025-09-07T03:00:00Z | 2025-09-08T04:00:00Z | shift | any   | 2025-09-07T03:30:00Z 2025-09-07T04:30:00Z 2025-09-08T02:30:00Z 2025-09-08T03:30:00Z
          America/Santiago    | 30 0,23 * * *   | 2025-09-07T03:00:00Z | 2025-09-08T04:00:00Z | skip  | any   | 2025-09-07T03:30:00Z 2025-09-08T02:30:00Z 2025-09-08T03:30:00Z
          America/Santiago    | 30 0,23 * * *   | 2025-04-05T03:00:00Z | 2025-04-07T03:00:00Z | any   | first | 2025-04-05T03:30:00Z 2025-04-06T02:30:00Z 2025-04-06T04:30:00Z
          America/Santiago    | 30 0,23 * * *   | 2025-04-05T03:00:00Z | 2025-04-07T03:00:00Z | any   | last  | 2025-04-05T03:30:00Z 2025-04-06T03:30:00Z 2025-04-06T04:30:00Z
          America/Santiago    | 30 0,23 * * *   | 2025-04-05T03:00:00Z | 2025-04-07T03:00:00Z | any   | both  | 2025-04-05T03:30:00Z 2025-04-06T02:30:00Z 2025-04-06T03:30:00Z 2025-04-06T04:30:00Z
          Pacific/Auckland    | 30 2 * * *      | 2025-09-27T11:00:00Z | 2025-09-28T12:00:00Z | shift | any   | 2025-09-27T14:30:00Z
          Pacific/Auckland    | 30 2 * * *      | 2025-09-27T11:00:00Z | 2025-09-28T12:00:00Z | skip  | any   | none
          Pacific/Auckland    | 30 2 * * *      | 2025-04-05T10:00:00Z | 2025-04-06T13:00:00Z | any   | first | 2025-04-05T13:30:00Z
          Pacific/Auckland    | 30 2 * * *      | 2025-04-05T10:00:00Z | 2025-04-06T13:00:00Z | any   | last  | 2025-04-05T14:30:00Z
          Pacific/Auckland    | 30 2 * * *      | 2025-04-05T10:00:00Z | 2025-04-06T13:00:00Z | any   | both  | 2025-04-05T13:30:00Z 2025-04-05T14:30:00Z
          Pacific/Auckland    | 30 */2 * * *    | 2025-09-27T12:00:00Z | 2025-09-27T17:00:00Z | any   | any   | 2025-09-27T12:30:00Z 2025-09-27T15:30:00Z
          Pacific/Auckland    | 30 */2 * * *    | 2025-04-05T11:00:00Z | 2025-04-05T17:00:00Z | any   | any   | 2025-04-05T11:30:00Z 2025-04-05T13:30:00Z 2025-04-05T14:30:00Z 2025-04-05T16:30:00Z
          America/Asuncion    | 0 0 * * *       | 2023-09-30T04:00:00Z | 2023-10-03T03:00:00Z | shift | any   | 2023-09-30T04:00:00Z 2023-10-01T04:00:00Z 2023-10-02T03:00:00Z
          America/Asuncion    | 0 0 * * *       | 2023-09-30T04:00:00Z | 2023-10-03T03:00:00Z | skip  | any   | 2023-09-30T04:00:00Z 2023-10-02T03:00:00Z
          America/Asuncion    | 30 23 * * *     | 2023-03-25T03:00:00Z | 2023-03-27T04:00:00Z | any   | first | 2023-03-26T02:30:00Z 2023-03-27T03:30:00Z
          America/Asuncion    | 30 23 * * *     | 2023-03-25T03:00:00Z | 2023-03-27T04:00:00Z | any   | last  | 2023-03-26T03:30:00Z 2023-03-27T03:30:00Z
          America/Asuncion    | 30 23 * * *     | 2023-03-25T03:00:00Z | 2023-03-27T04:00:00Z | any   | both  | 2023-03-26T02:30:00Z 2023-03-26T03:30:00Z 2023-03-27T03:30:00Z
          America/Asuncion    | 0 0/6 * * *     | 2023-09-30T16:00:00Z | 2023-10-01T16:00:00Z | any   | any   | 2023-09-30T16:00:00Z 2023-09-30T22:00:00Z 2023-10-01T09:00:00Z 2023-10-01T15:00:00Z
          Asia/Beirut         | 0 0 * * *       | 2022-03-25T22:00:00Z | 2022-03-28T21:00:00Z | shift | any   | 2022-03-25T22:00:00Z 2022-03-26T22:00:00Z 2022-03-27T21:00:00Z
          Asia/Beirut         | 0 0 * * *       | 2022-03-25T22:00:00Z | 2022-03-28T21:00:00Z | skip  | any   | 2022-03-25T22:00:00Z 2022-03-27T21:00:00Z
          Asia/Beirut         | 0 0 * * *       | 2022-10-28T21:00:00Z | 2022-10-31T22:00:00Z | any   | first | 2022-10-28T21:00:00Z 2022-10-29T22:00:00Z 2022-10-30T22:00:00Z
          Asia/Beirut         | 0 0 * * *       | 2022-10-28T21:00:00Z | 2022-10-31T22:00:00Z | any   | last  | 2022-10-28T21:00:00Z 2022-10-29T22:00:00Z 2022-10-30T22:00:00Z
          Asia/Beirut         | 0 0 * * *       | 2022-10-28T21:00:00Z | 2022-10-31T22:00:00Z | any   | both  | 2022-10-28T21:00:00Z 2022-10-29T22:00:00Z 2022-10-30T22:00:00Z
          Africa/Cairo        | 0 0 * * *       | 2024-04-24T22:00:00Z | 2024-04-27T21:00:00Z | shift | any   | 2024-04-24T22:00:00Z 2024-04-25T22:00:00Z 2024-04-26T21:00:00Z
          Africa/Cairo        | 0 0 * * *       | 2024-04-24T22:00:00Z | 2024-04-27T21:00:00Z | skip  | any   | 2024-04-24T22:00:00Z 2024-04-26T21:00:00Z
          Africa/Cairo        | 30 23 * * *     | 2024-10-30T21:00:00Z | 2024-11-01T22:00:00Z | any   | first | 2024-10-31T20:30:00Z 2024-11-01T21:30:00Z
          Africa/Cairo        | 30 23 * * *     | 2024-10-30T21:00:00Z | 2024-11-01T22:00:00Z | any   | last  | 2024-10-31T21:30:00Z 2024-11-01T21:30:00Z
          Africa/Cairo        | 30 23 * * *     | 2024-10-30T21:00:00Z | 2024-11-01T22:00:00Z | any   | both  | 2024-10-31T20:30:00Z 2024-10-31T21:30:00Z 2024-11-01T21:30:00Z
          Europe/Moscow       | 30 1,2 * * *    | 2011-03-26T21:00:00Z | 2011-03-27T20:00:00Z | shift | any   | 2011-03-26T22:30:00Z 2011-03-26T23:30:00Z
          Europe/Moscow       | 30 1,2 * * *    | 2011-03-26T21:00:00Z | 2011-03-27T20:00:00Z | skip  | any   | 2011-03-26T22:30:00Z
          Europe/Moscow       | 30 1,2 * * *    | 2010-10-30T20:00:00Z | 2010-10-31T21:00:00Z | any   | first | 2010-10-30T21:30:00Z 2010-10-30T22:30:00Z
          Europe/Moscow       | 30 1,2 * * *    | 2010-10-30T20:00:00Z | 2010-10-31T21:00:00Z | any   | last  | 2010-10-30T21:30:00Z 2010-10-30T23:30:00Z
          Europe/Moscow       | 30 1,2 * * *    | 2010-10-30T20:00:00Z | 2010-10-31T21:00:00Z | any   | both  | 2010-10-30T21:30:00Z 2010-10-30T22:30:00Z 2010-10-30T23:30:00Z
          Europe/Moscow       | 30 1,2 * * *    | 2013-03-30T20:00:00Z | 2013-03-31T20:00:00Z | shift | any   | 2013-03-30T21:30:00Z 2013-03-30T22:30:00Z
          Europe/Moscow       | 30 1,2 * * *    | 2013-03-30T20:00:00Z | 2013-03-31T20:00:00Z | skip  | any   | 2013-03-30T21:30:00Z 2013-03-30T22:30:00Z
          Europe/Moscow       | 30 1,2 * * *    | 2014-10-25T20:00:00Z | 2014-10-26T21:00:00Z | any   | first | 2014-10-25T21:30:00Z 2014-10-25T23:30:00Z
          Europe/Moscow       | 30 1,2 * * *    | 2014-10-25T20:00:00Z | 2014-10-26T21:00:00Z | any   | last  | 2014-10-25T22:30:00Z 2014-10-25T23:30:00Z
          Europe/Moscow       | 30 1,2 * * *    | 2014-10-25T20:00:00Z | 2014-10-26T21:00:00Z | any   | both  | 2014-10-25T21:30:00Z 2014-10-25T22:30:00Z 2014-10-25T23:30:00Z
          America/Sao_Paulo   | 0 0 * * *       | 2018-11-03T03:00:00Z | 2018-11-05T03:00:00Z | shift | any   | 2018-11-03T03:00:00Z 2018-11-04T03:00:00Z 2018-11-05T02:00:00Z
          America/Sao_Paulo   | 0 0 * * *       | 2018-11-03T03:00:00Z | 2018-11-05T03:00:00Z | skip  | any   | 2018-11-03T03:00:00Z 2018-11-05T02:00:00Z
          America/Sao_Paulo   | 30 23 * * *     | 2019-02-16T02:00:00Z | 2019-02-18T03:00:00Z | any   | first | 2019-02-17T01:30:00Z 2019-02-18T02:30:00Z
          America/Sao_Paulo   | 30 23 * * *     | 2019-02-16T02:00:00Z | 2019-02-18T03:00:00Z | any   | last  | 2019-02-17T02:30:00Z 2019-02-18T02:30:00Z
          America/Sao_Paulo   | 30 23 * * *     | 2019-02-16T02:00:00Z | 2019-02-18T03:00:00Z | any   | both  | 2019-02-17T01:30:00Z 2019-02-17T02:30:00Z 2019-02-18T02:30:00Z
          America/Sao_Paulo   | 0 0 * * *       | 2019-11-02T03:00:00Z | 2019-11-05T03:00:00Z | shift | any   | 2019-11-02T03:00:00Z 2019-11-03T03:00:00Z 2019-11-04T03:00:00Z
          America/Sao_Paulo   | 0 0 * * *       | 2019-11-02T03:00:00Z | 2019-11-05T03:00:00Z | skip  | any   | 2019-11-02T03:00:00Z 2019-11-03T03:00:00Z 2019-11-04T03:00:00Z
          Asia/Pyongyang      | 45 23 * * *     | 2018-05-03T15:00:00Z | 2018-05-05T15:00:00Z | shift | any   | 2018-05-03T15:15:00Z 2018-05-04T15:15:00Z 2018-05-05T14:45:00Z
          Asia/Pyongyang      | 45 23 * * *     | 2018-05-03T15:00:00Z | 2018-05-05T15:00:00Z | skip  | any   | 2018-05-03T15:15:00Z 2018-05-05T14:45:00Z
          Asia/Pyongyang      | 45 23 * * *     | 2015-08-13T15:00:00Z | 2015-08-15T15:30:00Z | any   | first | 2015-08-14T14:45:00Z 2015-08-15T15:15:00Z
          Asia/Pyongyang      | 45 23 * * *     | 2015-08-13T15:00:00Z | 2015-08-15T15:30:00Z | any   | last  | 2015-08-14T15:15:00Z 2015-08-15T15:15:00Z
          Asia/Pyongyang      | 45 23 * * *     | 2015-08-13T15:00:00Z | 2015-08-15T15:30:00Z | any   | both  | 2015-08-14T14:45:00Z 2015-08-14T15:15:00Z 2015-08-15T15:15:00Z
          Pacific/Apia        | 0 9 * * *       | 2011-12-28T19:00:00Z | 2012-01-01T00:00:00Z | shift | any   | 2011-12-28T19:00:00Z 2011-12-29T19:00:00Z 2011-12-30T19:00:00Z 2011-12-31T19:00:00Z
          Pacific/Apia        | 0 9 * * *       | 2011-12-28T19:00:00Z | 2012-01-01T00:00:00Z | skip  | any   | 2011-12-28T19:00:00Z 2011-12-29T19:00:00Z 2011-12-30T19:00:00Z 2011-12-31T19:00:00Z
          UTC                 | 30 2 * * *      | 2025-03-29T00:00:00Z | 2025-03-31T00:00:00Z | shift | any   | 2025-03-29T02:30:00Z 2025-03-30T02:30:00Z
          UTC                 | 30 2 * * *      | 2025-03-29T00:00:00Z | 2025-03-31T00:00:00Z | skip  | any   | 2025-03-29T02:30:00Z 2025-03-30T02:30:00Z
          UTC                 | 30 2 * * *      | 2025-10-25T00:00:00Z | 2025-10-27T00:00:00Z | any   | first | 2025-10-25T02:30:00Z 2025-10-26T02:30:00Z
          UTC                 | 30 2 * * *      | 2025-10-25T00:00:00Z | 2025-10-27T00:00:00Z | any   | last  | 2025-10-25T02:30:00Z 2025-10-26T02:30:00Z
          UTC                 | 30 2 * * *      | 2025-10-25T00:00:00Z | 2025-10-27T00:00:00Z | any   | both  | 2025-10-25T02:30:00Z 2025-10-26T02:30:00Z
          """)
  void instants_around_a_change_of_the_clocks(
      String zone,
      String expression,
      Instant from,
      Instant until,
      String gap,
      String repeat,
      String expected)
      throws Exception {
    List<Instant> instants =
        expected.equals("none")
            ? List.of()
            : Arrays.stream(expected.split(" ")).map(Instant::parse).toList();
    for (Dst dst : each(gap, repeat)) {
      Timing timing =
          new Timing(
              Cron.parse(expression), ZoneId.of(zone), dst, from, until, null, Duration.ZERO);
      assertThat(all(timing)).as("%s", dst).isEqualTo(instants);
    }
  }

  /** "any" stands for all values, which must give the same instants. */
  private static List<Dst> each(String gap, String repeat) {
    List<Dst> found = new ArrayList<>();
    for (Dst.Gap eachGap : Dst.Gap.values()) {
      for (Dst.Repeat eachRepeat : Dst.Repeat.values()) {
        if (isMeant(gap, eachGap) && isMeant(repeat, eachRepeat)) {
          found.add(new Dst(eachGap, eachRepeat));
        }
      }
    }
    assertThat(found).isNotEmpty();
    return found;
  }

  private static boolean isMeant(String text, Enum<?> value) {
    return text.equals("any") || text.equals(value.name().toLowerCase(Locale.ROOT));
  }

  private static List<Instant> all(Timing timing) {
    List<Instant> found = new ArrayList<>();
    Optional<Instant> next = timing.next(Instant.EPOCH);
    while (next.isPresent()) {
      found.add(next.get());
      next = timing.next(next.get());
    }
    return found;
  }
}
